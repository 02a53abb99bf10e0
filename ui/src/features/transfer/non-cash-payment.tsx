import type { OpenPayment } from '@kiosk/contract/open-payment';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { Waiting } from '../../components/waiting.tsx';
import type { CustomerDetail } from '../../lib/customer-detail.ts';
import { paymentOnScreen } from '../../state/paid.ts';
import { enterPayment } from '../../state/refresh-invoice.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { PaidView } from '../receipt/paid-panel.tsx';
import { BankList } from './bank-list.tsx';
import { paymentShown } from './non-cash-actions.ts';
import styles from './non-cash-payment.module.css';
import { QrisView } from './qris-view.tsx';
import { usePolling } from './use-polling.ts';
import { VaView } from './va-view.tsx';
import { type NonCashView, viewOf } from './view-of.ts';

/**
 * @returns the open payment that this view shows and that the customer can complete on a phone;
 * null if there is none
 */
const openIn = (view: NonCashView): OpenPayment | null => (view.view === 'qris' ? view.code : view.view === 'va_selected' ? view.va : null);

/**
 * Tells the back office the amount of a shown payment. If this fails, it is repeated after a
 * reconnect.
 */
function useAnnouncement(shown: boolean) {
	const dispatch = useAppDispatch();
	const socket = useAppSelector((state) => state.connection.socket);
	const announce = useEffectEvent(() => {
		if (shown) dispatch(paymentShown());
	});
	// biome-ignore lint/correctness/useExhaustiveDependencies: each payment and connection sends it
	useEffect(() => announce(), [shown, socket]);
}

function View({ view, detail }: { view: NonCashView; detail: CustomerDetail }) {
	const how = useAppSelector((state) => paymentOnScreen(state)?.how ?? 'before');
	switch (view.view) {
		case 'standby':
			return <Waiting />;
		case 'list_va':
			return <BankList />;
		case 'qris':
			return <QrisView code={view.code} />;
		case 'va_selected':
			return <VaView va={view.va} total={detail.total} />;
		case 'is_paid':
			return <PaidView detail={detail} how={how} />;
		default:
			return view satisfies never;
	}
}

/** Pays one invoice by QRIS or virtual account, or shows that the invoice is paid. */
export default function NonCashScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const detail = useAppSelector((state) => state.invoice.detail);
	const created = useAppSelector((state) => state.nonCash.created);
	const paid = useAppSelector((state) => paymentOnScreen(state) !== null);
	const abandonedMs = useAppSelector((state) => state.settings?.abandoned_ms ?? 0);
	const [entered, setEntered] = useState(false);

	useEffect(() => {
		let left = false;
		void dispatch(enterPayment()).then((found) => {
			if (left) return;
			if (found === null) navigate('/', { replace: true });
			else setEntered(true);
		});
		return () => {
			left = true;
		};
	}, [dispatch, navigate]);

	const view: NonCashView = paid ? { view: 'is_paid' } : viewOf(entered ? detail : null, created);
	const open = openIn(view);
	usePolling(view.view === 'qris' || view.view === 'va_selected');
	useAnnouncement(open !== null);

	return (
		<div className={styles.nonCash}>
			{detail === null ? <Waiting onBack={() => navigate('/')} /> : <View view={view} detail={detail} />}
			{view.view !== 'is_paid' && (
				// While a payment is open, the idle question comes later, because the customer pays on a
				// phone.
				<IdleQuestion enabled={entered} onLeave={() => navigate('/')} {...(open !== null && { after: abandonedMs })} />
			)}
		</div>
	);
}
