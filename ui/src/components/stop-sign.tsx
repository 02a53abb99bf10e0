import { Icon, type IconName } from './icon.tsx';
import styles from './stop-sign.module.css';

/** The large icon of a message that fills the task area. */
export function StopSign({ name }: { name: IconName }) {
	return <Icon name={name} className={styles.sign} />;
}
