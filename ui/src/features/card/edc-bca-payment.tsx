import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useCountdown } from '../../components/use-countdown.ts';
import { Waiting } from '../../components/waiting.tsx';
import type { Refusal } from '../../lib/card-decline.ts';
import { cardLeft, type Edc, saleUnheard } from '../../state/edc.ts';
import { paymentOnScreen } from '../../state/paid.ts';
import { checkPayment } from '../../state/refresh-invoice.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { edcText, refusalText, saleText, terminalText } from '../../text/edc.ts';
import { PaidView } from '../receipt/paid-panel.tsx';
import { DeclinedView } from './declined.tsx';
import { enterCard, startSale } from './edc-actions.ts';
import styles from './edc-bca-payment.module.css';
import { Instructions } from './instructions.tsx';
import { ShownCode } from './shown-code.tsx';
import { StoppedView } from './stopped.tsx';
import { UnknownView } from './unknown.tsx';

/**
 * The daemon answers a request at once. After this time, the request or its answer counts as lost.
 */
const ANSWER_LIMIT_MS = 15_000;

/** Refusals that pass: the customer can retry the same sale. */
const PASSING: readonly Refusal[] = ['not_ready', 'journal'];

/**
 * Starts the sale as soon as it is possible, and limits how long the screen waits for the result.
 */
function useSale({ id, method, sale, terminal }: Edc) {
	const dispatch = useAppDispatch();
	const openings = useAppSelector((state) => state.connection.opened);
	const abandonedMs = useAppSelector((state) => state.settings?.abandoned_ms ?? 0);
	const watchedMs = useAppSelector((state) => (method === 'qris' ? (state.settings?.edc_qris_ms ?? 0) : 0));
	const { at } = sale;

	// biome-ignore lint/correctness/useExhaustiveDependencies: any change may make the sale possible
	useEffect(() => {
		dispatch(startSale());
	}, [id, at, terminal, openings, dispatch]);

	// A look-up may bring the result that the screen missed, or the new total of an invoice that has
	// grown.
	useEffect(() => {
		if (at === 'lost' || at === 'short') void dispatch(checkPayment());
	}, [at, dispatch]);

	const limit = at === 'asked' ? ANSWER_LIMIT_MS : at === 'sent' || at === 'acked' ? watchedMs + abandonedMs : null;
	useCountdown(limit, () => dispatch(saleUnheard()));
}

function Paying({ total, invoice }: { total: Rupiah; invoice: string }) {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const edc = useAppSelector((state) => state.edc);
	const configured = useAppSelector((state) => state.settings?.edc ?? false);
	const abandonedMs = useAppSelector((state) => state.settings?.abandoned_ms ?? 0);
	useSale(edc);
	const leave = () => {
		dispatch(cardLeft());
		navigate('/');
	};
	const { sale, method } = edc;
	const words = saleText[method];
	const terminal = configured ? edc.terminal : 'not_configured';

	switch (sale.at) {
		case 'none':
			if (terminal === null || terminal === 'ready' || terminal === 'starting') {
				return <Instructions at={sale.at} amount={total} onLeave={leave} />;
			}
			return <StoppedView text={terminalText[terminal]} money={words.notAsked} reference={invoice} onLeave={leave} />;
		case 'asked':
		case 'approved':
			return <Instructions at={sale.at} amount={total} onLeave={null} />;
		case 'sent':
			return <Instructions at={sale.at} amount={sale.amount} onLeave={null} />;
		case 'acked':
			if (method === 'qris') return <ShownCode amount={sale.amount} onLeave={leave} />;
			return <Instructions at={sale.at} amount={sale.amount} onLeave={null} />;
		case 'unknown':
			return <UnknownView attempt={sale.attempt} amount={sale.amount} onLeave={leave} />;
		case 'short':
			return (
				<StoppedView
					text={edcText.short}
					money={sale.left > 0 ? edcText.shortBy(formatRupiah(sale.left)) : edcText.shortUnclear}
					reference={referenceOf(sale.attempt)}
					idleAfter={abandonedMs}
					onLeave={leave}
				/>
			);
		case 'declined':
			return <DeclinedView sale={sale} invoice={invoice} onLeave={leave} />;
		case 'refused':
			return (
				<StoppedView
					text={refusalText[sale.reason]}
					money={words.notAsked}
					reference={invoice}
					again={PASSING.includes(sale.reason)}
					onLeave={leave}
				/>
			);
		case 'lost':
			return (
				<StoppedView
					text={edcText.lost}
					money={words.notKnown}
					reference={sale.attempt ? referenceOf(sale.attempt) : invoice}
					again
					idleAfter={abandonedMs}
					onLeave={leave}
				/>
			);
		default:
			return sale satisfies never;
	}
}

/** Pays one invoice by card or by a QRIS code on the terminal, or shows that it is paid. */
export default function CardScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const [asked] = useSearchParams();
	const method = asked.get('metode') === 'qris' ? 'qris' : 'card';
	const detail = useAppSelector((state) => state.invoice.detail);
	const payment = useAppSelector(paymentOnScreen);

	useEffect(() => {
		const leaving = new AbortController();
		void dispatch(enterCard(method, leaving.signal)).then((found) => {
			if (!found) navigate('/', { replace: true });
		});
		return () => leaving.abort();
	}, [dispatch, navigate, method]);

	if (detail === null) return <Waiting onBack={() => navigate('/')} />;
	if (payment !== null) return <PaidView detail={detail} how={payment.how} />;
	return (
		<div className={styles.card}>
			<Paying total={detail.total} invoice={detail.noinvoice ?? ''} />
		</div>
	);
}
