import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { isChoosingAgain } from '../../lib/choose-again.ts';
import { readHp } from '../../lib/visit-storage.ts';
import { paymentOnScreen } from '../../state/paid.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { PaidView } from '../receipt/paid-panel.tsx';
import { Choice } from './choice.tsx';
import { LookingUp } from './looking-up.tsx';
import { lookUpInvoice } from './lookup.ts';
import styles from './payment-method.module.css';
import { Unavailable } from './unavailable.tsx';

/** Looks up the invoice and offers the methods. */
export default function MethodScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const { detail, unavailable } = useAppSelector((state) => state.invoice);
	const payment = useAppSelector(paymentOnScreen);
	const [looked, setLooked] = useState(false);
	const [tries, setTries] = useState(1);
	const choosing = isChoosingAgain(useLocation().state);
	const hp = readHp();

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new try looks up again
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
	}, [hp, tries, choosing, dispatch, navigate]);

	const again = () => {
		setLooked(false);
		setTries((before) => before + 1);
	};

	if (hp === '') return <Navigate to="/" replace />;
	if (payment !== null && detail !== null) return <PaidView detail={detail} how={payment.how} />;
	return (
		<div className={styles.method}>
			{!looked && <LookingUp />}
			{looked && unavailable !== null && <Unavailable failure={unavailable} onAgain={again} />}
			{looked && detail !== null && <Choice detail={detail} />}
			<IdleQuestion enabled={looked} onLeave={() => navigate('/')} />
		</div>
	);
}
