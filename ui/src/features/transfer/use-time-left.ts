import { useEffect, useState } from 'react';
import { momentOf } from '../../lib/written-time.ts';
import { expirySeen } from '../../state/non-cash.ts';
import { useAppDispatch } from '../../state/store.ts';
import { useTimezone } from '../../state/timezone.ts';

const SECOND_MS = 1_000;

/**
 * @param expiry the expiry as the server wrote it
 * @returns ms until the expiry; 0 after it; null if it is unknown
 */
export function useTimeLeft(expiry: string): number | null {
	const moment = momentOf(useTimezone(), expiry);
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		if (moment === null) return;
		const tick = setInterval(() => setNow(Date.now()), SECOND_MS);
		return () => clearInterval(tick);
	}, [moment]);
	return moment === null ? null : Math.max(0, moment - now);
}

/**
 * Stores whether the shown code or account has expired, because the steps beside the task depend on
 * it.
 */
export function useExpiry(expired: boolean): void {
	const dispatch = useAppDispatch();
	useEffect(() => {
		dispatch(expirySeen(expired));
		return () => {
			dispatch(expirySeen(false));
		};
	}, [expired, dispatch]);
}

const two = (figure: number): string => String(figure).padStart(2, '0');

/** @returns mm:ss; h:mm:ss from one hour on */
export function writtenTimeLeft(ms: number): string {
	const seconds = Math.ceil(ms / SECOND_MS);
	const hours = Math.floor(seconds / 3_600);
	const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
	return hours === 0 ? rest : `${hours}:${rest}`;
}
