import { renewPayment } from '../../app/non-cash-actions.ts';
import { useAppDispatch, useAppSelector } from '../../app/store.ts';
import { Button } from '../../components/button.tsx';
import { text } from '../../text/screens.ts';

/** Replaces an expired code or account by a new one. */
export function RenewButton({ children, primary = false }: { children: string; primary?: boolean }) {
	const dispatch = useAppDispatch();
	const busy = useAppSelector((state) => state.nonCash.busy);
	return (
		<Button icon="reload" kind={primary ? 'primary' : 'secondary'} busy={busy} onClick={() => void dispatch(renewPayment())}>
			{busy ? text.waiting : children}
		</Button>
	);
}
