import { openPaymentOf } from '@kiosk/contract/open-payment';
import { useLocation } from 'react-router-dom';
import { virtualAccountApplies } from '../lib/customer-detail.ts';
import { nextStepOf } from '../state/next-step.ts';
import { awaitedFate, isWithoutPaper, paymentOnScreen } from '../state/paid.ts';
import { type RootState, useAppSelector } from '../state/store.ts';
import { nonCashText } from '../text/non-cash.ts';
import { text } from '../text/screens.ts';
import styles from './guide.module.css';
import { Icon } from './icon.tsx';

interface Guidance {
	label: string;
	steps: readonly string[];
	/** Index of the step that the customer must do now; null if there is none. */
	current: number | null;
	/** Number of finished steps; by default, the steps before the current one. */
	finished?: number;
	/** Text after the first step on a landscape panel: where the acceptor's status is shown. */
	place?: string;
}

/**
 * @returns the steps of a visit. If the typed number was not found, the first step is the current
 * one, because the customer must type a number again.
 */
const ofVisit = (pathname: string, { unavailable }: RootState['invoice']): Guidance => ({
	...text.guide,
	current: pathname === '/' || unavailable?.kind === 'not_found' ? 0 : 1,
});

/**
 * @returns the steps of a card payment. While a sale is unknown, no step is current, because the
 * customer must not pay again.
 */
const ofCard = ({ sale }: RootState['edc']): Guidance => ({ ...text.guide, current: sale.at === 'unknown' ? null : 2, finished: 2 });

/**
 * @returns the steps after the payment. The current step is to take the receipt; if none comes out,
 * no step is current.
 */
const ofPaid = (state: RootState): Guidance => ({
	...text.guide,
	current: isWithoutPaper(awaitedFate(state)) ? null : 3,
	finished: 3,
});

function ofTransfer({ invoice: { detail }, nonCash: { created, expired } }: RootState): Guidance {
	const { label, va, qris } = text.transferGuide;
	const open = created ?? (detail && openPaymentOf(detail));
	const byVa = open === null ? detail !== null && virtualAccountApplies(detail) : open.kind === 'va';
	// The customer must not pay with an expired code or account, so the first step is to get a new
	// one.
	if (expired) {
		const [renew, steps] = byVa ? [nonCashText.va.renew, va] : [nonCashText.qris.renew, qris];
		return { label, steps: [renew, ...steps.slice(1)], current: 0 };
	}
	return byVa ? { label, steps: va, current: open === null ? 0 : 1 } : { label, steps: qris, current: 1 };
}

/** @returns the steps of the current payment; without a payment, the steps of the visit */
function guidance(pathname: string, state: RootState): Guidance {
	if (paymentOnScreen(state) !== null) return ofPaid(state);
	if (pathname === '/cash-payment') return { ...text.cashGuide, place: text.cashGuide.readyPlace, current: nextStepOf(state).step };
	if (pathname === '/edc-bca-payment') return ofCard(state.edc);
	return pathname === '/non-cash-payment' ? ofTransfer(state) : ofVisit(pathname, state.invoice);
}

type Progress = 'done' | 'now' | 'later';

function Step({ number, words, place, at }: { number: number; words: string; place: string; at: Progress }) {
	return (
		<li className={styles.step} data-at={at} aria-current={at === 'now' ? 'step' : undefined}>
			<span className={styles.mark}>{at === 'done' ? <Icon name="check" /> : number}</span>
			<span>
				{words}
				{place !== '' && <span className={styles.place}> {place}</span>}
				{at === 'done' && <span className="silent"> ({text.guide.done})</span>}
			</span>
		</li>
	);
}

/** Shows the steps. Finished steps are ticked; the current step is highlighted. */
export function Guide() {
	const { pathname } = useLocation();
	const {
		label,
		steps,
		place = '',
		current,
		finished = current ?? 0,
	} = useAppSelector(
		(state) => guidance(pathname, state),
		(one, other) => String(one.steps) === String(other.steps) && one.current === other.current,
	);
	return (
		<section className={styles.guide} aria-label={label}>
			<ol className={styles.steps}>
				{steps.map((words, index) => (
					<Step
						key={words}
						number={index + 1}
						words={words}
						place={index === 0 ? place : ''}
						at={index < finished ? 'done' : index === current ? 'now' : 'later'}
					/>
				))}
			</ol>
		</section>
	);
}
