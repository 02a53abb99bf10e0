import styles from './spinner.module.css';

/** Motion during a wait; the text beside it says what is awaited. */
export function Spinner() {
	return <span className={styles.spinner} aria-hidden="true" />;
}
