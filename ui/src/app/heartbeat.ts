import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { type AppThunk, useAppDispatch } from './store.ts';
import { readHp } from './visit-storage.ts';
import { whenPainted } from './when-painted.ts';

/** The daemon holds a screen that stays silent for a few of these for dead. */
const BEAT_MS = 5_000;

/** The daemon hears it or not; the screen has nothing to do about it. */
const reportRendered =
	(screen: string): AppThunk =>
	(_dispatch, _getState, { api }) => {
		void api.rendered(screen, readHp());
	};

/** Tells the daemon which screen is on the panel, each time that the browser has really shown a frame of it. */
export function useHeartbeat(): void {
	const { pathname } = useLocation();
	const dispatch = useAppDispatch();
	useEffect(() => {
		const report = () => dispatch(reportRendered(pathname));
		let end = whenPainted(report);
		const beat = setInterval(() => {
			end();
			if (document.visibilityState === 'visible') end = whenPainted(report);
		}, BEAT_MS);
		return () => {
			end();
			clearInterval(beat);
		};
	}, [pathname, dispatch]);
}
