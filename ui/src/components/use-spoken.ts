import { useEffect, useId } from 'react';
import { type Part, sentenceGone, sentenceShown } from '../state/spoken.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';

/**
 * If the settings give the kiosk a voice, speaks the instruction that a component shows.
 * @param parts the component's catalogue texts, and amounts in rupiah; null is left out
 */
export function useSpoken(...parts: readonly (Part | null)[]): void {
	const key = useId();
	const dispatch = useAppDispatch();
	const speaks = useAppSelector((state) => state.settings?.voice ?? false);
	const said = JSON.stringify(parts.filter((part) => part !== null && part !== ''));
	useEffect(() => {
		if (speaks) dispatch(sentenceShown({ key, parts: JSON.parse(said) }));
	}, [speaks, key, said, dispatch]);
	useEffect(() => {
		if (!speaks) return;
		return () => {
			dispatch(sentenceGone(key));
		};
	}, [speaks, key, dispatch]);
}
