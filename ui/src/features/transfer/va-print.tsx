import { Button } from '../../components/button.tsx';
import { printFate } from '../../state/paid.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { nonCashText } from '../../text/non-cash.ts';
import { printOut } from '../receipt/receipt-actions.ts';
import styles from './va-view.module.css';

/**
 * A button that prints the account number. It is hidden if the kiosk has no printer. The daemon
 * knows the account number, so the call needs only the invoice's id.
 */
export function VaPrint() {
	const dispatch = useAppDispatch();
	const printer = useAppSelector((state) => state.settings?.print === 'printer');
	const id = useAppSelector((state) => state.invoice.detail?.id ?? null);
	const fate = useAppSelector((state) => printFate(state.paid));
	if (!printer || id === null) return null;
	const words = nonCashText.va.slip;
	const failed = fate?.state === 'failed' || (fate?.state === 'printing' && fate.reason !== null);
	const told = fate === null ? '' : failed ? words.failed : fate.state === 'done' ? words.done : words.printing;
	return (
		<div className={styles.slip} data-failed={failed}>
			<span role="status">{told}</span>
			{told === '' && (
				<Button icon="printer" onClick={() => void dispatch(printOut({ id, of: 'account' }))}>
					{words.print}
				</Button>
			)}
		</div>
	);
}
