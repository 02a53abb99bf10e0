import { formatRupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { noPaperReason } from '../../components/paper-notice.tsx';
import { warningsAccepted } from '../../state/cash.ts';
import { acceptedOf, cashWarnings, isWarningAsked } from '../../state/cash-warnings.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import { openMachine } from './cash-actions.ts';

/** Opens the acceptor when the question closes, unless the customer has left. */
function useOpening(asked: boolean) {
	const dispatch = useAppDispatch();
	const wasAsked = useRef(asked);
	useEffect(() => {
		const answered = wasAsked.current && !asked;
		wasAsked.current = asked;
		if (answered) void dispatch(openMachine({ reload: false }));
	}, [asked, dispatch]);
}

/**
 * Before the first note, asks whether the customer wants to continue although no receipt can be
 * printed or an earlier note is in doubt.
 */
export function CashQuestion({ onLeave }: { onLeave: () => void }) {
	const dispatch = useAppDispatch();
	const asked = useAppSelector(isWarningAsked);
	const warnings = useAppSelector(cashWarnings, sameWarnings);
	useOpening(asked);
	if (!asked || warnings === null) return null;
	const { paper: words, earlierDoubt } = paymentText;
	const { paper, doubts } = warnings;
	const goOn = () => dispatch(warningsAccepted(acceptedOf(warnings)));
	return (
		<Dialog
			title={doubts.length > 0 ? earlierDoubt.title : words.title}
			onDismiss={onLeave}
			actions={
				<>
					<Button onClick={onLeave}>{words.cancel}</Button>
					<Button kind="primary" onClick={goOn}>
						{words.goOn}
					</Button>
				</>
			}
		>
			{doubts.map(({ note_id, nominal }) => (
				<p key={note_id}>{earlierDoubt.body(formatRupiah(nominal), referenceOf(note_id))}</p>
			))}
			{doubts.length > 0 && <p>{earlierDoubt.hint}</p>}
			{paper !== null && <p>{words.body(noPaperReason(paper))}</p>}
		</Dialog>
	);
}

/** Compares by content, because each call of the selector makes a new list. */
const sameWarnings = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
