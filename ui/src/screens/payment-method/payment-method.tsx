import { useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { formatRupiah } from '../../../../daemon/contract/money.ts';
import { type CustomerDetail, virtualAccountApplies } from '../../app/customer-detail.ts';
import { lookUpInvoice } from '../../app/lookup.ts';
import { acceptsCash } from '../../app/state/acceptor.ts';
import { useAppDispatch, useAppSelector } from '../../app/store.ts';
import { readHp, writeDetail } from '../../app/visit-storage.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { PaidView } from '../../components/paid/paid.tsx';
import { machineText, machineUnknown } from '../../text/machine.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import { LookingUp } from './looking-up.tsx';
import { MethodTile } from './method-tile.tsx';
import styles from './payment-method.module.css';

/** @returns why cash cannot be paid in now, in a few words; null when it can */
function useCashObstacle(): string | null {
	const notes = useAppSelector((state) => state.settings?.notes ?? []);
	const acceptor = useAppSelector((state) => state.acceptor);
	if (notes.length === 0) return machineText.not_configured.status;
	if (acceptor.state === null) return machineUnknown.status;
	return acceptsCash(acceptor) ? null : machineText[acceptor.state].status;
}

function CashTile({ onPick }: { onPick: () => void }) {
	const notes = useAppSelector((state) => state.settings?.notes ?? []);
	const [smallest, largest] = [notes[0], notes.at(-1)];
	const hint =
		smallest && largest ? paymentText.method.cashHint(formatRupiah(smallest), formatRupiah(largest)) : paymentText.method.cashHintNone;
	return <MethodTile icon="note" name={paymentText.method.cash} hint={hint} obstacle={useCashObstacle()} onPick={onPick} />;
}

/** The methods that need no note; each says why it cannot be chosen here. */
function NonCashTiles({ detail }: { detail: CustomerDetail }) {
	const byVa = virtualAccountApplies(detail);
	return (
		<>
			<MethodTile icon="card" name={paymentText.method.debit} obstacle={paymentText.method.notHere} />
			<MethodTile
				icon={byVa ? 'bank' : 'qr'}
				name={byVa ? paymentText.method.va : paymentText.method.qris}
				obstacle={paymentText.method.notHere}
			/>
		</>
	);
}

function Choice({ detail }: { detail: CustomerDetail }) {
	const navigate = useNavigate();
	const [nonCash, setNonCash] = useState(false);
	const payCash = () => {
		writeDetail(detail);
		navigate('/cash-payment');
	};
	const byVa = virtualAccountApplies(detail);
	return (
		<>
			<header>
				<h1 className={styles.title}>{nonCash ? paymentText.method.titleNonCash : paymentText.method.title}</h1>
				<p className={styles.hint}>{paymentText.method.hint}</p>
			</header>
			<div className={styles.tiles}>
				{nonCash ? (
					<NonCashTiles detail={detail} />
				) : (
					<>
						<CashTile onPick={payCash} />
						<MethodTile
							icon="card"
							name={paymentText.method.nonCash}
							hint={`${paymentText.method.debit} · ${byVa ? paymentText.method.va : paymentText.method.qris}`}
							onPick={() => setNonCash(true)}
						/>
					</>
				)}
			</div>
			<Button icon="back" className={styles.back} onClick={() => (nonCash ? setNonCash(false) : navigate('/'))}>
				{text.kembali}
			</Button>
		</>
	);
}

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
			<Button kind="primary" icon="back" className={styles.back} onClick={() => navigate('/')}>
				{text.kembali}
			</Button>
		</>
	);
}

/** Finds the invoice and asks how it shall be paid. */
export default function MethodScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const { detail, unavailable } = useAppSelector((state) => state.invoice);
	const payment = useAppSelector((state) => state.paid.payment);
	const [looked, setLooked] = useState(false);
	const hp = readHp();

	useEffect(() => {
		if (hp === '') return;
		const leaving = new AbortController();
		void dispatch(lookUpInvoice(leaving.signal)).then((outcome) => {
			if (leaving.signal.aborted) return;
			if (outcome === 'cash') navigate('/cash-payment', { replace: true });
			else setLooked(true);
		});
		return () => leaving.abort();
	}, [hp, dispatch, navigate]);

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
