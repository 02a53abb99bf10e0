import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { type AppThunk, useAppDispatch } from './store.ts';

/** The daemon holds a screen that stays silent for a few of these for dead. */
const BEAT_MS = 5_000;

/** The daemon hears it or not; the screen has nothing to do about it. */
const reportRendered =
	(screen: string): AppThunk =>
	(_dispatch, _getState, { api }) => {
		void api.rendered(screen);
	};

/**
 * Tells the daemon what has really been drawn. Each word is sent from an animation frame, because a page whose compositor is
 * dead still runs its timers.
 */
export function useHeartbeat(): void {
	const { pathname } = useLocation();
	const dispatch = useAppDispatch();
	useEffect(() => {
		const report = () => dispatch(reportRendered(pathname));
		let frame = requestAnimationFrame(() => {
			frame = requestAnimationFrame(report);
		});
		const beat = setInterval(() => {
			if (document.visibilityState === 'visible') frame = requestAnimationFrame(report);
		}, BEAT_MS);
		return () => {
			cancelAnimationFrame(frame);
			clearInterval(beat);
		};
	}, [pathname, dispatch]);
}
