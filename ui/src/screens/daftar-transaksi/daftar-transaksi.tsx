import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { alertClosed } from '../../app/state/alert.ts';
import { modalClosed } from '../../app/state/modal.ts';
import { visitEnded } from '../../app/state/visit.ts';
import { useAppDispatch } from '../../app/store.ts';
import { IdleQuestion } from '../../components/idle-question.tsx';
import styles from './daftar-transaksi.module.css';
import { PinGate } from './pin-gate.tsx';
import { TransactionList } from './transaction-list.tsx';

/** The staff's list behind its PIN. Whoever leaves it locks it, and leaves none of its rows behind. */
export default function TransactionsScreen() {
	const [unlocked, setUnlocked] = useState(false);
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const home = () => navigate('/');

	useEffect(
		() => () => {
			dispatch(modalClosed());
			dispatch(alertClosed());
			dispatch(visitEnded());
		},
		[dispatch],
	);

	return (
		<div className={styles.screen} data-kind={unlocked ? 'list' : 'pin'}>
			{unlocked ? <TransactionList onLeave={home} /> : <PinGate onUnlocked={() => setUnlocked(true)} onLeave={home} />}
			<IdleQuestion enabled onLeave={home} />
		</div>
	);
}
