import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { ConnectingScreen } from '../kiosk/connecting.tsx';
import { followPanel } from '../kiosk/panel.ts';
import { onDemand } from '../lib/on-demand.ts';
import { writeHp } from '../lib/visit-storage.ts';
import { restoreLanguage } from '../state/choose-language.ts';
import { settingsKnown, settingsUnfit } from '../state/settings.ts';
import { type AppThunk, type Store, useAppDispatch, useAppSelector } from '../state/store.ts';
import { Router } from './router.tsx';

/**
 * Pause after a failed request for the settings. A restart of the daemon takes about this long.
 * More frequent requests would only fill its log.
 */
const RETRY_MS = 2_000;

const loadVoice = onDemand(() => import('../kiosk/voice.ts'));

/**
 * If the address has this parameter, the page resumes the interrupted visit; otherwise it starts a
 * new one. The appliance opens its browser with this parameter.
 */
const SUCCESSOR = '?resume';

/** If a browser restart interrupted a visit, restores the visit's typed number and screen. */
const resumeVisit =
	(): AppThunk<Promise<void>> =>
	async (_dispatch, _, { api }) => {
		const answer = await api.visit();
		const visit = answer.ok ? answer.value.visit : null;
		if (visit !== null) writeHp(visit.number);
		history.replaceState(null, '', visit?.screen ?? location.pathname);
	};

/**
 * Asks the daemon for its settings; the first screen is shown as soon as they arrive. Then checks
 * them against the schema.
 * @returns whether the settings have arrived and are valid
 */
const askSettings =
	(): AppThunk<Promise<boolean>> =>
	async (dispatch, getState, { api }) => {
		if (getState().settings === null) {
			const answer = await api.settings();
			if (!answer.ok) return false;
			if (location.search === SUCCESSOR) await dispatch(resumeVisit());
			await dispatch(restoreLanguage());
			dispatch(settingsKnown(answer.value));
		}
		const checked = await api.checkSettings(getState().settings);
		if (!checked.ok && checked.status !== null) dispatch(settingsUnfit());
		return checked.ok;
	};

/** Waits for the daemon's settings, then shows the screens. */
export function Boot() {
	const dispatch = useAppDispatch();
	const settings = useAppSelector((state) => state.settings);

	useEffect(() => {
		let timer: ReturnType<typeof setTimeout>;
		let ended = false;
		const ask = async () => {
			const answered = await dispatch(askSettings());
			if (!answered && !ended) timer = setTimeout(ask, RETRY_MS);
		};
		void ask();
		return () => {
			ended = true;
			clearTimeout(timer);
		};
	}, [dispatch]);

	const speaks = settings?.voice ?? false;
	const store = useStore() as Store;
	useEffect(() => {
		if (!speaks) return;
		let end = (): void => {};
		let ended = false;
		void loadVoice().then((voice) => {
			if (voice !== null && !ended) end = voice.startVoice(store);
		});
		return () => {
			ended = true;
			end();
		};
	}, [speaks, store]);

	const diagonal = settings?.panel_diagonal_inch;
	const largeText = useAppSelector((state) => state.aids.largeText);
	useEffect(() => (diagonal === undefined ? undefined : followPanel(diagonal, largeText)), [diagonal, largeText]);

	return settings === null ? <ConnectingScreen /> : <Router />;
}
