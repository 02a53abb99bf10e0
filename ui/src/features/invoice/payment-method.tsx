import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { choosesAgain } from '../../lib/choose-again.ts';
import { readHp } from '../../lib/visit-storage.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import { PaidView } from '../receipt/paid-panel.tsx';
import { Choice } from './choice.tsx';
import { LookingUp } from './looking-up.tsx';
import { lookUpInvoice } from './lookup.ts';
import styles from './payment-method.module.css';

function Unavailable({ reason }: { reason: string }) {
	const navigate = useNavigate();
	return (
		<>
			<div className={styles.unavailable} role="alert">
				<Icon name="warning" />
				<h1>{reason}</h1>
				<p>
					{paymentText.method.unavailable}. {paymentText.method.unavailableHint}
				</p>
			</div>
			<Actions>
				<Button kind="primary" icon="back" onClick={() => navigate('/')}>
					{text.kembali}
				</Button>
			</Actions>
		</>
	);
}

/** Looks up the invoice and offers the methods. */
export default function MethodScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const { detail, unavailable } = useAppSelector((state) => state.invoice);
	const payment = useAppSelector((state) => state.paid.payment);
	const [looked, setLooked] = useState(false);
	const choosing = choosesAgain(useLocation().state);
	const hp = readHp();

	useEffect(() => {
		if (hp === '') return;
		const leaving = new AbortController();
		void dispatch(lookUpInvoice(leaving.signal)).then((outcome) => {
			if (leaving.signal.aborted) return;
			if (outcome === 'cash') navigate('/cash-payment', { replace: true });
			else if (outcome === 'card') navigate('/edc-bca-payment', { replace: true });
			else if (outcome === 'non_cash' && !choosing) navigate('/non-cash-payment', { replace: true });
			else setLooked(true);
		});
		return () => leaving.abort();
	}, [hp, choosing, dispatch, navigate]);

	if (hp === '') return <Navigate to="/" replace />;
	if (payment !== null && detail !== null) return <PaidView detail={detail} how={payment.how} />;
	return (
		<div className={styles.method}>
			{!looked && <LookingUp />}
			{looked && unavailable !== null && <Unavailable reason={unavailable} />}
			{looked && detail !== null && <Choice detail={detail} />}
			<IdleQuestion enabled={looked} onLeave={() => navigate('/')} />
		</div>
	);
}
