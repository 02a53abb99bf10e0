import type { ReactNode } from 'react';
import styles from './actions.module.css';

/**
 * The row of buttons at the foot of a screen. The left button leads back, the right button leads
 * on.
 * @param middle whether a third button, with a long text, is between these two
 */
export function Actions({ children, middle = false }: { children: ReactNode; middle?: boolean }) {
	return (
		<div className={styles.actions} data-middle={middle}>
			{children}
		</div>
	);
}
