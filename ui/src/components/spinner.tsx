import styles from './spinner.module.css';

/** Motion during a wait; the text beside it names the expected event. */
export function Spinner() {
	return <span className={styles.spinner} aria-hidden="true" />;
}
