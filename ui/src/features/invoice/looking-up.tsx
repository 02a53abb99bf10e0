import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useSpoken } from '../../components/use-spoken.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import styles from './payment-method.module.css';

/**
 * After these times first a spinner and then a text appear. If the answer is quick, neither
 * appears.
 */
const SPINNER_AFTER_MS = 300;
const STILL_AFTER_MS = 3_000;

/** Fills the screen during the look-up and has a button to leave. */
export function LookingUp() {
	const navigate = useNavigate();
	const [stage, setStage] = useState<'quick' | 'looking' | 'slow'>('quick');
	useSpoken(stage === 'slow' ? paymentText.method.stillLooking : null);
	useEffect(() => {
		const looking = setTimeout(() => setStage('looking'), SPINNER_AFTER_MS);
		const slow = setTimeout(() => setStage('slow'), STILL_AFTER_MS);
		return () => {
			clearTimeout(looking);
			clearTimeout(slow);
		};
	}, []);
	return (
		<>
			<div className={styles.looking} role="status">
				{stage !== 'quick' && <Spinner />}
				<h1 className={styles.title}>{stage === 'slow' ? paymentText.method.stillLooking : paymentText.method.looking}</h1>
			</div>
			<Actions>
				<Button icon="back" onClick={() => navigate('/')}>
					{text.kembali}
				</Button>
			</Actions>
		</>
	);
}
