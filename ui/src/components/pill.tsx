import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './pill.module.css';

export type Tone = 'good' | 'wait' | 'stop' | 'plain';

/** Shows a state by a word, an icon and a colour together. */
export function Pill({ tone, icon, children, large = false }: { tone: Tone; icon: IconName; children: ReactNode; large?: boolean }) {
	return (
		<span className={`${styles.pill} ${styles[tone]} ${large ? styles.large : ''}`}>
			<Icon name={icon} />
			<span>{children}</span>
		</span>
	);
}
