import { useEffect, useRef } from 'react';
import { isOnline } from '../../state/connection.ts';
import { checkPayment } from '../../state/refresh-invoice.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';

/** Time between two look-ups. They find a payment even if the message about it was lost. */
const POLL_MS = 10_000;

/**
 * Looks up the invoice repeatedly, and at once after a reconnect.
 * @param enabled whether a payment is open
 */
export function usePolling(enabled: boolean): void {
	const dispatch = useAppDispatch();
	const online = useAppSelector((state) => isOnline(state.connection));
	const busy = useAppSelector((state) => state.nonCash.busy);
	const wasOnline = useRef(online);

	useEffect(() => {
		const back = online && !wasOnline.current;
		wasOnline.current = online;
		// While the payment is being changed, there is no look-up, because its answer could undo the
		// change on the screen.
		if (!enabled || busy) return;
		const leaving = new AbortController();
		let timer: ReturnType<typeof setTimeout>;
		const check = async () => {
			await dispatch(checkPayment(leaving.signal));
			if (!leaving.signal.aborted) wait();
		};
		const wait = () => {
			timer = setTimeout(check, POLL_MS);
		};
		if (back) void check();
		else wait();
		return () => {
			leaving.abort();
			clearTimeout(timer);
		};
	}, [enabled, busy, online, dispatch]);
}
