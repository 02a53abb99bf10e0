import type { ReactNode } from 'react';
import styles from './actions.module.css';

/** The row of buttons at the foot of every screen: the way back left, the next step right. */
export function Actions({ children }: { children: ReactNode }) {
	return <div className={styles.actions}>{children}</div>;
}
