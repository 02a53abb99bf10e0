import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { leaveStaff, touchStaff } from '../../app/staff-actions.ts';
import { alertClosed } from '../../app/state/alert.ts';
import { modalClosed } from '../../app/state/modal.ts';
import { visitEnded } from '../../app/state/visit.ts';
import { useAppDispatch, useAppSelector } from '../../app/store.ts';
import { IdleQuestion } from '../../components/idle-question.tsx';
import styles from './daftar-transaksi.module.css';
import { PinGate } from './pin-gate.tsx';
import { TransactionList } from './transaction-list.tsx';

/** The daemon closes what is open for staff after two minutes without a call or a touch; it is told this often of touches, ms. */
const TELL_EVERY_MS = 20_000;

/** Tells the daemon of touches while the list is open: who reads makes no calls. */
function useTouches(open: boolean) {
	const dispatch = useAppDispatch();
	useEffect(() => {
		if (!open) return;
		let told = performance.now();
		const touched = () => {
			if (performance.now() - told < TELL_EVERY_MS) return;
			told = performance.now();
			dispatch(touchStaff());
		};
		window.addEventListener('pointerdown', touched);
		return () => window.removeEventListener('pointerdown', touched);
	}, [open, dispatch]);
}

/** The staff's list behind its PIN. Whoever leaves it locks it, and leaves none of its rows behind. */
export default function TransactionsScreen() {
	const unlocked = useAppSelector((state) => state.pinLock.open);
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const home = () => navigate('/');

	useEffect(
		() => () => {
			dispatch(leaveStaff());
			dispatch(modalClosed());
			dispatch(alertClosed());
			dispatch(visitEnded());
		},
		[dispatch],
	);
	useTouches(unlocked);

	return (
		<div className={styles.screen} data-kind={unlocked ? 'list' : 'pin'}>
			{unlocked ? <TransactionList onLeave={home} /> : <PinGate onLeave={home} />}
			<IdleQuestion enabled onLeave={home} />
		</div>
	);
}
