import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { CHOOSE_AGAIN } from '../../lib/choose-again.ts';
import { nonCashText } from '../../text/non-cash.ts';
import { text } from '../../text/screens.ts';
import styles from './leave-buttons.module.css';

/** The ways out of an open payment, which stays open on the invoice. */
export function LeaveButtons() {
	const navigate = useNavigate();
	return (
		<div className={styles.buttons}>
			<Button icon="back" onClick={() => navigate('/')}>
				{text.kembali}
			</Button>
			<Button className={styles.other} onClick={() => navigate('/payment-method', { state: CHOOSE_AGAIN })}>
				{nonCashText.otherMethod}
			</Button>
		</div>
	);
}
