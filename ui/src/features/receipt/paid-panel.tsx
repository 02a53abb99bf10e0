import { remaining } from '@kiosk/contract/money';
import { useEffect, useEffectEvent, useState } from 'react';
import { shallowEqual } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { DoubtPanel } from '../../components/doubt-panel.tsx';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { useCountdown } from '../../components/use-countdown.ts';
import { useSpoken } from '../../components/use-spoken.ts';
import type { CustomerDetail } from '../../lib/customer-detail.ts';
import { alertShown } from '../../state/alert.ts';
import { autoPrintStarted, awaitedFate, isWithoutPaper, printFate } from '../../state/paid.ts';
import { refreshInvoice } from '../../state/refresh-invoice.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import { closeAfterPayment } from './close-after-payment.ts';
import { LunasPicture } from './lunas-picture.tsx';
import styles from './paid-panel.module.css';
import { shownOf } from './print-state.tsx';
import { cashReceived, printReceipt } from './receipt-actions.ts';
import { ReceiptArea } from './receipt-area.tsx';
import { LARGE_MS, TakeAlong } from './take-along.tsx';

/**
 * The receipt prints, and the kiosk goes home, after these times. The specification gives them.
 * Both count from the moment when the screen shows the payment.
 */
const PRINT_AFTER_MS = 2_000;
const HOME_AFTER_MS = 6_000;
/**
 * After a failed print, or while a note is in doubt, the kiosk goes home later: the customer needs
 * time to read the message and show it to staff.
 */
const HOME_AFTER_TROUBLE_MS = 30_000;

/**
 * Prints the receipt of a payment that was just completed, once.
 * @returns a function that prints on request
 */
function usePrinting(id: string, fresh: boolean) {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const autoPrinted = useAppSelector((state) => state.paid.autoPrinted === id);

	const print = async () => {
		if ((await dispatch(printReceipt())) === 'page') navigate('/cetak');
	};
	const printUnasked = useEffectEvent(() => {
		dispatch(autoPrintStarted(id));
		void print();
	});
	useEffect(() => {
		if (!fresh || autoPrinted) return;
		const timer = setTimeout(() => printUnasked(), PRINT_AFTER_MS);
		return () => clearTimeout(timer);
	}, [fresh, autoPrinted]);
	return print;
}

/** The paid screen. It replaces the payment screen when the invoice is paid. */
export function PaidView({ detail, how }: { detail: CustomerDetail; how: 'fresh' | 'before' }) {
	const fresh = how === 'fresh';
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const cash = useAppSelector((state) => state.cash);
	const fate = useAppSelector(awaitedFate, shallowEqual);
	const requested = useAppSelector((state) => printFate(state.paid));
	const hasCode = useAppSelector((state) => state.paid.take !== null);
	const print = usePrinting(String(detail.id), fresh);
	const home = () => navigate('/');

	useEffect(() => {
		if (!fresh) return;
		void dispatch(closeAfterPayment());
		void dispatch(refreshInvoice());
	}, [fresh, dispatch]);

	// If a note was still moving when enough was received, it is returned and lies in the slot.
	const returned = cash.returned !== null;
	useEffect(() => {
		if (returned) dispatch(alertShown({ text: text.note.returned, color: 'warning' }));
	}, [returned, dispatch]);

	const noPaper = isWithoutPaper(fate);
	const trouble = noPaper || cash.doubts.length > 0;
	const [large, setLarge] = useState(false);
	const after = trouble ? HOME_AFTER_TROUBLE_MS : HOME_AFTER_MS;
	const left = useCountdown(large ? LARGE_MS : fresh ? after : null, home);
	const received = cashReceived(detail, cash);
	const over = remaining(received ?? detail.total, detail.total);
	const overHint = noPaper ? paymentText.paid.overWithoutPaper : paymentText.paid.overHint;
	const printing = shownOf(fate, hasCode ? paymentText.take.noPaper : '', fresh);
	useSpoken(
		paymentText.paid.lunas,
		fresh ? paymentText.paid.thanks : paymentText.paid.already,
		...(over > 0 ? [paymentText.paid.over, over, overHint] : []),
		printing.words,
		printing.hint ?? null,
	);

	return (
		<div className={styles.paid} data-crowded={cash.doubts.length > 0}>
			<div className={styles.news}>
				<LunasPicture />
				<h1 className={styles.lunas}>{paymentText.paid.lunas}</h1>
				<p className={styles.thanks}>{fresh ? paymentText.paid.thanks : paymentText.paid.already}</p>
			</div>
			{over > 0 ? (
				<div className={`${styles.sum} ${styles.over}`}>
					<span className={styles.label}>{paymentText.paid.over}</span>
					<Amount value={over} className={styles.amount} />
					<span className={styles.hint}>{overHint}</span>
				</div>
			) : (
				<div className={styles.sum}>
					<span className={styles.label}>{paymentText.paid.total}</span>
					<Amount value={detail.total} className={styles.amount} />
				</div>
			)}
			{cash.doubts.map((note) => (
				<DoubtPanel key={note.note_id} note={note} />
			))}
			<ReceiptArea
				fate={fate}
				announced={fresh}
				hint={hasCode ? paymentText.take.noPaper : paymentText.print.failedHint(detail.noinvoice ?? '')}
			/>
			<p className={styles.countdown}>{left !== null && paymentText.paid.home(left)}</p>
			<Actions>
				<Button icon="back" onClick={home}>
					{text.kembali}
				</Button>
				<TakeAlong onLarge={setLarge} left={left} />
				<Button kind="primary" icon="printer" onClick={print} busy={requested?.state === 'printing' && requested.reason === null}>
					{text.cetak}
				</Button>
			</Actions>
			<IdleQuestion enabled={!fresh} onLeave={home} />
		</div>
	);
}
