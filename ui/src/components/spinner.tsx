import styles from './spinner.module.css';

/**
 * A moving sign for a wait. Screen readers skip it, because almost everywhere a text beside it says
 * the same.
 */
export function Spinner() {
	return <span className={styles.spinner} aria-hidden="true" />;
}
