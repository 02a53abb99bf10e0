import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { readInvoiceNumber } from '../lib/visit-storage.ts';
import { text } from '../text/screens.ts';
import styles from './full-page.module.css';

/** Time until the page restarts. Staff need this time to read or photograph the message. */
const RESTART_AFTER_S = 30;

const restart = () => location.assign('/');

/**
 * Fills the screen after an error while rendering. After some time the page restarts automatically.
 * @param code identifies the error in the daemon's log
 */
export function CrashScreen({ error, code }: { error: Error; code: string }) {
	const [left, setLeft] = useState(RESTART_AFTER_S);
	useEffect(() => {
		if (left <= 0) {
			restart();
			return;
		}
		const timer = setTimeout(() => setLeft(left - 1), 1_000);
		return () => clearTimeout(timer);
	}, [left]);
	return (
		<main className={styles.page} role="alert">
			<Icon name="warning" className={styles.stop} />
			<h1>{text.crash.title}</h1>
			<p>{text.crash.body}</p>
			<p className={styles.detail}>{error.message}</p>
			<p className={styles.reference}>{text.crash.reference(code, readInvoiceNumber())}</p>
			<Button kind="primary" icon="reload" onClick={restart}>
				{text.crash.restart}
			</Button>
			<p className={styles.small}>{text.crash.auto(left)}</p>
		</main>
	);
}
