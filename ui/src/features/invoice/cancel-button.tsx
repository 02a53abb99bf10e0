import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import { cancelPayment } from '../transfer/non-cash-actions.ts';

/**
 * Asks for a confirmation, cancels the open QRIS code or virtual account, and ends the visit.
 * @param name the name of the method
 */
export function CancelButton({ name }: { name: string }) {
	const { method: words } = paymentText;
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const busy = useAppSelector((state) => state.nonCash.busy);
	const [asking, setAsking] = useState(false);
	const [cancelling, setCancelling] = useState(false);

	const cancel = async () => {
		setAsking(false);
		setCancelling(true);
		const outcome = await dispatch(cancelPayment());
		setCancelling(false);
		if (outcome === 'done') navigate('/');
	};
	return (
		<>
			<Button onClick={() => setAsking(true)} disabled={busy} busy={cancelling}>
				{cancelling ? text.waiting : words.cancel(name)}
			</Button>
			{asking && (
				<Dialog
					title={words.cancelQuestion.title(name)}
					onDismiss={() => setAsking(false)}
					actions={
						<>
							<Button onClick={cancel}>{words.cancelQuestion.go}</Button>
							<Button kind="primary" onClick={() => setAsking(false)}>
								{words.cancelQuestion.stay}
							</Button>
						</>
					}
				>
					<p>{words.cancelQuestion.body}</p>
				</Dialog>
			)}
		</>
	);
}
