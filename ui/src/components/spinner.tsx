import styles from './spinner.module.css';

/** Motion for a wait; the words beside it say what is awaited. */
export function Spinner() {
	return <span className={styles.spinner} aria-hidden="true" />;
}
