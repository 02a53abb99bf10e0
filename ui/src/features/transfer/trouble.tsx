import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import styles from './trouble.module.css';

/**
 * Takes the place of missing content and shows the reason and the next step. If no icon is given,
 * it shows a spinner.
 */
export function Trouble({ icon, title, hint, children }: { icon?: IconName; title: string; hint?: string; children?: ReactNode }) {
	return (
		<div className={styles.trouble}>
			{icon ? <Icon name={icon} /> : <Spinner />}
			<div role="status">
				<h2>{title}</h2>
				{hint && <p>{hint}</p>}
			</div>
			{children}
		</div>
	);
}
