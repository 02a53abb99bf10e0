import { useEffect, useState } from 'react';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { loadTransactions } from './staff-actions.ts';

type Transactions = {
	state: 'loading' | 'shown' | 'failed';
	/**
	 * Number of rows before the loaded page, which can differ from the requested page until the
	 * answer arrives.
	 */
	before: number;
	again: () => void;
};

/**
 * Loads the rows for the page and the search text in the list state, and again whenever one of them
 * changes.
 */
export function useTransactions(): Transactions {
	const offset = useAppSelector((state) => state.list.offset);
	const search = useAppSelector((state) => state.list.search);
	const [attempt, setAttempt] = useState(0);
	const [state, setState] = useState<Transactions['state']>('loading');
	const [before, setBefore] = useState(0);
	const dispatch = useAppDispatch();

	// A change of `search` or `attempt` starts a new call, although the effect does not read them:
	// the call takes the search text from the list state.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above
	useEffect(() => {
		const wanted = new AbortController();
		setState('loading');
		void dispatch(loadTransactions(wanted.signal)).then((loaded) => {
			if (wanted.signal.aborted) return;
			setState(loaded ? 'shown' : 'failed');
			setBefore(offset);
		});
		return () => wanted.abort();
	}, [offset, search, attempt, dispatch]);

	return { state, before, again: () => setAttempt(attempt + 1) };
}
