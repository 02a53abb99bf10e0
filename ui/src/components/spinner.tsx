import styles from './spinner.module.css';

/** Moves during a wait. Screen readers skip it: almost everywhere a text stands beside it. */
export function Spinner() {
	return <span className={styles.spinner} aria-hidden="true" />;
}
