import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { CHOOSE_AGAIN } from '../../lib/choose-again.ts';
import { nonCashText } from '../../text/non-cash.ts';
import { text } from '../../text/screens.ts';

/**
 * Buttons to leave the screen of an open payment. The payment stays open on the invoice.
 * @param last the button for the next step, on the right
 */
export function LeaveButtons({ last }: { last?: ReactNode }) {
	const navigate = useNavigate();
	return (
		<Actions middle={last !== undefined}>
			<Button icon="back" onClick={() => navigate('/')}>
				{text.kembali}
			</Button>
			<Button onClick={() => navigate('/payment-method', { state: CHOOSE_AGAIN })}>{nonCashText.otherMethod}</Button>
			{last}
		</Actions>
	);
}
