import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { type AppThunk, useAppDispatch } from './store.ts';
import { readHp } from './visit-storage.ts';
import { whenPainted } from './when-painted.ts';

/** The daemon holds a screen that stays silent for a few of these for dead. */
const BEAT_MS = 5_000;
/** A slow machine shows a frame many seconds after it was asked for: so many reports may be on their way at once. */
const MOST_WAITS = 5;

/** The daemon hears it or not; the screen has nothing to do about it. */
const reportRendered =
	(screen: string): AppThunk =>
	(_dispatch, getState, { api }) => {
		void api.rendered(screen, readHp(), getState().invoice.detail?.id ?? null);
	};

/** Tells the daemon which screen is on the panel, each time that the browser has really shown a frame of it. */
export function useHeartbeat(): void {
	const { pathname } = useLocation();
	const dispatch = useAppDispatch();
	useEffect(() => {
		const report = () => dispatch(reportRendered(pathname));
		const waits = [whenPainted(report)];
		const beat = setInterval(() => {
			if (waits.length === MOST_WAITS) waits.shift()?.();
			if (document.visibilityState === 'visible') waits.push(whenPainted(report));
		}, BEAT_MS);
		return () => {
			for (const end of waits) end();
			clearInterval(beat);
		};
	}, [pathname, dispatch]);
}
