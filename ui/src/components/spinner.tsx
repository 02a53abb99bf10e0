import styles from './spinner.module.css';

/** Moves during a wait. The text beside the spinner names the expected event. */
export function Spinner() {
	return <span className={styles.spinner} aria-hidden="true" />;
}
