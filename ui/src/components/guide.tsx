import { openPaymentOf } from '@kiosk/contract/open-payment';
import type { ReactNode } from 'react';
import { shallowEqual } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { virtualAccountApplies } from '../lib/customer-detail.ts';
import { nextStepOf } from '../state/next-step.ts';
import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import styles from './guide.module.css';
import { Icon } from './icon.tsx';
import { NotePicture } from './note-picture.tsx';

/** @returns the index of the customer's current step */
function useVisitStep(): number {
	const { pathname } = useLocation();
	const paid = useAppSelector((state) => state.paid.payment !== null);
	if (paid) return 3;
	if (pathname === '/edc-bca-payment') return 2;
	return pathname === '/' ? 0 : 1;
}

function Steps({ steps, current, numbered }: { steps: readonly string[]; current: number; numbered: boolean }) {
	return (
		<ol className={styles.steps}>
			{steps.map((step, index) => {
				const done = !numbered && index < current;
				return (
					<li
						key={step}
						className={styles.step}
						data-at={done ? 'done' : index === current ? 'now' : 'later'}
						aria-current={index === current ? 'step' : undefined}
					>
						<span className={styles.mark}>{done ? <Icon name="check" /> : index + 1}</span>
						<span>
							{step}
							{done && <span className="silent"> ({text.guide.done})</span>}
						</span>
					</li>
				);
			})}
		</ol>
	);
}

function VisitGuide() {
	return <Steps steps={text.guide.steps} current={useVisitStep()} numbered={false} />;
}

function CashGuide() {
	const notes = useAppSelector((state) => state.settings?.notes ?? []);
	const { step } = useAppSelector(nextStepOf, shallowEqual);
	return (
		<>
			<Steps steps={text.cashGuide.steps} current={step} numbered />
			{notes.length > 0 && (
				<div className={styles.notes}>
					<h2 className={styles.notesTitle}>{text.cashGuide.notes}</h2>
					<ul className={styles.notesList}>
						{notes.toReversed().map((nominal) => (
							<li key={nominal}>
								<NotePicture nominal={nominal} />
							</li>
						))}
					</ul>
				</div>
			)}
		</>
	);
}

function TransferGuide() {
	const detail = useAppSelector((state) => state.invoice.detail);
	const created = useAppSelector((state) => state.nonCash.created);
	const open = created ?? (detail && openPaymentOf(detail));
	const byVa = open === null ? detail !== null && virtualAccountApplies(detail) : open.kind === 'va';
	if (byVa) return <Steps steps={text.transferGuide.va} current={open === null ? 0 : 1} numbered />;
	return <Steps steps={text.transferGuide.qris} current={1} numbered />;
}

/** Instructions shown during a payment. */
const PAYING: Record<string, { kind: 'cash' | 'visit'; label: 'guide' | 'cashGuide' | 'transferGuide'; Way: () => ReactNode }> = {
	'/cash-payment': { kind: 'cash', label: 'cashGuide', Way: CashGuide },
	'/non-cash-payment': { kind: 'visit', label: 'transferGuide', Way: TransferGuide },
};
const VISIT = { kind: 'visit', label: 'guide', Way: VisitGuide } as const;

/** The steps in order: of the visit, or of the payment being made. */
export function Guide() {
	const { pathname } = useLocation();
	const paid = useAppSelector((state) => state.paid.payment !== null);
	const { kind, label, Way } = (paid ? undefined : PAYING[pathname]) ?? VISIT;
	return (
		<section className={styles.guide} data-kind={kind} aria-label={text[label].label}>
			<Way />
		</section>
	);
}
