import type { StaffHome } from '@kiosk/contract/staff-home';
import { useEffect, useState } from 'react';
import { useAppDispatch } from '../../state/store.ts';
import { loadStaffHome } from './staff-actions.ts';

/**
 * How often the facts are requested, ms, because a note or a sale may end while staff read the
 * screen.
 */
const AGAIN_MS = 5_000;

/** @returns the newest facts (null before the first answer), and whether the last call failed */
export function useStaffHome(): { facts: StaffHome | null; failed: boolean } {
	const [facts, setFacts] = useState<StaffHome | null>(null);
	const [failed, setFailed] = useState(false);
	const dispatch = useAppDispatch();

	useEffect(() => {
		const here = new AbortController();
		async function load() {
			const found = await dispatch(loadStaffHome(here.signal));
			if (here.signal.aborted) return;
			setFailed(found === null);
			if (found) setFacts(found);
		}
		void load();
		const timer = setInterval(load, AGAIN_MS);
		return () => {
			clearInterval(timer);
			here.abort();
		};
	}, [dispatch]);

	return { facts, failed };
}
