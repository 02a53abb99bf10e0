import { useState } from 'react';
import { InvoicePages } from '../../components/invoice-pages.tsx';
import { nonCashText } from '../../text/non-cash.ts';
import type { BankGuide } from '../../text/va-guides.ts';
import styles from './va-steps.module.css';

/** Shows how to pay at this bank, for one channel (e.g. mobile banking) at a time. */
export function VaSteps({ guide }: { guide: BankGuide }) {
	const [at, setAt] = useState(0);
	const shown = guide.channels[at] ?? guide.channels[0];
	return (
		<section className={styles.guide} aria-label={nonCashText.va.steps}>
			<header className={styles.head}>
				<h2>{nonCashText.va.steps}</h2>
				<div className={styles.channels}>
					{guide.channels.map((channel, index) => (
						<button key={channel.name} type="button" aria-pressed={channel === shown} onClick={() => setAt(index)}>
							{channel.name}
						</button>
					))}
				</div>
			</header>
			<InvoicePages key={shown.name}>
				<ol>
					{shown.steps.map((step, index) => (
						<li key={step} className={styles.step}>
							<span className={styles.mark}>{index + 1}</span>
							{step}
						</li>
					))}
				</ol>
			</InvoicePages>
		</section>
	);
}
