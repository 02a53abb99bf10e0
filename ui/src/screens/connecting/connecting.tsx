import { Spinner } from '../../components/spinner.tsx';
import { text } from '../../text/screens.ts';
import styles from '../notice.module.css';

/** Shown from the first paint until the daemon answers. */
export function ConnectingScreen() {
	return (
		<main className={styles.page} role="status">
			<Spinner />
			<h1>{text.boot.title}</h1>
			<p>{text.boot.hint}</p>
		</main>
	);
}
