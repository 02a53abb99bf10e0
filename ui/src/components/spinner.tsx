import styles from './spinner.module.css';

/** Moves during a wait. Screen readers skip it, because a text is beside it almost everywhere. */
export function Spinner() {
	return <span className={styles.spinner} aria-hidden="true" />;
}
