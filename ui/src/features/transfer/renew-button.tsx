import { Button } from '../../components/button.tsx';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { renewPayment } from './non-cash-actions.ts';

/**
 * A button that replaces an expired QRIS code by a new one or, for a virtual account, leads back to
 * the banks.
 */
export function RenewButton({ children, primary = false }: { children: string; primary?: boolean }) {
	const dispatch = useAppDispatch();
	const busy = useAppSelector((state) => state.nonCash.busy);
	return (
		<Button icon="reload" kind={primary ? 'primary' : 'secondary'} busy={busy} onClick={() => void dispatch(renewPayment())}>
			{busy ? text.waiting : children}
		</Button>
	);
}
