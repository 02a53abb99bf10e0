import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { printFate } from '../../state/paid.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import { StatusLine, shownOf } from '../receipt/print-state.tsx';
import { printOut } from '../receipt/receipt-actions.ts';

/**
 * Prints a sample. So staff see whether the printer works, and the daemon learns the printer's
 * present state.
 */
export function SampleButton() {
	const dispatch = useAppDispatch();
	const [asked, setAsked] = useState(false);
	const fate = useAppSelector((state) => printFate(state.paid));
	const print = () => {
		setAsked(true);
		void dispatch(printOut({ id: 'sample', of: 'sample' }));
	};
	return (
		<>
			<Button icon="printer" busy={asked && fate?.state === 'printing'} onClick={print}>
				{staffText.home.printSample}
			</Button>
			{asked && fate !== null && <StatusLine {...shownOf(fate, staffText.home.printHint)} />}
		</>
	);
}
