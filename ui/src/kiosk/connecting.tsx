import { useEffect, useState } from 'react';
import { Spinner } from '../components/spinner.tsx';
import { text } from '../text/screens.ts';
import styles from './full-page.module.css';

/**
 * A starting daemon is usually ready within this time. After it, the screen says that the start
 * takes longer.
 */
const SLOW_AFTER_MS = 10_000;

/** Fills the screen from the first paint until the daemon answers. */
export function ConnectingScreen() {
	const [slow, setSlow] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
		return () => clearTimeout(timer);
	}, []);
	return (
		<main className={styles.page} role="status">
			<Spinner />
			<h1>{text.boot.title}</h1>
			<p>{slow ? text.boot.slow : text.boot.hint}</p>
		</main>
	);
}
