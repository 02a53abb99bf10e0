import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { readHp } from '../lib/visit-storage.ts';
import { type AppThunk, useAppDispatch } from '../state/store.ts';
import { whenPainted } from './when-painted.ts';

/**
 * Time between two reports. If the daemon gets none for `[screen] frozen_ms`, the acceptor takes no
 * notes.
 */
const BEAT_MS = 5_000;
/**
 * At most this many reports wait for their frame. On a slow PC several wait, because a frame can
 * take many seconds.
 */
const MOST_WAITS = 5;

/**
 * Reports a shown frame to the daemon. The answer is ignored, because the screen could do nothing
 * about a failure.
 */
const reportRendered =
	(screen: string, touched: boolean): AppThunk =>
	(_dispatch, getState, { api }) => {
		void api.rendered(screen, readHp(), getState().invoice.detail?.id ?? null, touched);
	};

/** @returns a function that tells whether the panel was touched since the previous call */
function useTouches(): () => boolean {
	const touched = useRef(false);
	useEffect(() => {
		const onTouch = (event: PointerEvent) => {
			// Only these events show that the touch sensor works; an event of a script or a mouse does
			// not.
			if (event.isTrusted && event.pointerType === 'touch') touched.current = true;
		};
		window.addEventListener('pointerdown', onTouch, true);
		return () => window.removeEventListener('pointerdown', onTouch, true);
	}, []);
	return useCallback(() => {
		const was = touched.current;
		touched.current = false;
		return was;
	}, []);
}

/**
 * Every five seconds, waits until the browser has really shown a frame, and reports the current
 * screen to the daemon.
 */
export function useHeartbeat(): void {
	const { pathname } = useLocation();
	const dispatch = useAppDispatch();
	const takeTouch = useTouches();
	useEffect(() => {
		const report = () => dispatch(reportRendered(pathname, takeTouch()));
		const waits = [whenPainted(report)];
		const beat = setInterval(() => {
			if (waits.length === MOST_WAITS) waits.shift()?.();
			if (document.visibilityState === 'visible') waits.push(whenPainted(report));
		}, BEAT_MS);
		return () => {
			for (const end of waits) end();
			clearInterval(beat);
		};
	}, [pathname, dispatch, takeTouch]);
}
