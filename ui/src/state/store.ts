import { configureStore, type ThunkAction, type UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import type { Api, ApiContext } from '../lib/api.ts';
import type { Live } from '../lib/live.ts';
import { acceptorReducer } from './acceptor.ts';
import { aidsReducer } from './aids.ts';
import { alertReducer } from './alert.ts';
import { attentionReducer } from './attention.ts';
import { attractReducer } from './attract.ts';
import { brandReducer } from './brand.ts';
import { cashReducer } from './cash.ts';
import { connectionReducer } from './connection.ts';
import { edcReducer } from './edc.ts';
import { healthReducer } from './health.ts';
import { invoiceReducer } from './invoice.ts';
import { languageReducer } from './language.ts';
import { listReducer } from './list.ts';
import { loadingReducer } from './loading.ts';
import { modalReducer } from './modal.ts';
import { nonCashReducer } from './non-cash.ts';
import { paidReducer } from './paid.ts';
import { pinLockReducer, staffClosed } from './pin-lock.ts';
import { printerReducer } from './printer.ts';
import { sessionReducer } from './session.ts';
import { endSession } from './session-end.ts';
import { settingsReducer } from './settings.ts';
import { spokenReducer } from './spoken.ts';
import { staffCallReducer } from './staff-call.ts';
import { visitReducer } from './visit.ts';

const reducer = {
	settings: settingsReducer,
	session: sessionReducer,
	connection: connectionReducer,
	acceptor: acceptorReducer,
	health: healthReducer,
	invoice: invoiceReducer,
	cash: cashReducer,
	edc: edcReducer,
	nonCash: nonCashReducer,
	paid: paidReducer,
	printer: printerReducer,
	alert: alertReducer,
	attention: attentionReducer,
	attract: attractReducer,
	brand: brandReducer,
	modal: modalReducer,
	language: languageReducer,
	aids: aidsReducer,
	list: listReducer,
	pinLock: pinLockReducer,
	loading: loadingReducer,
	staffCall: staffCallReducer,
	spoken: spokenReducer,
	visit: visitReducer,
};

/** With these, thunks reach the daemon. */
type Lines = { api: Api; live: Live };

const configure = (lines: Lines) => configureStore({ reducer, middleware: (defaults) => defaults({ thunk: { extraArgument: lines } }) });

export type Store = ReturnType<typeof configure>;
export type RootState = ReturnType<Store['getState']>;
type AppDispatch = Store['dispatch'];
export type AppThunk<T = void> = ThunkAction<T, RootState, Lines, UnknownAction>;

/**
 * @returns the store with the screen's whole state. Thunks make their calls through the client that
 * is created here.
 * @param makeApi makes the client; tests pass a double
 * @param live the live socket; tests pass a double
 */
export function makeStore(makeApi: (context: ApiContext) => Api, live: Live): Store {
	const api = makeApi({
		settings: () => store.getState().settings,
		token: () => store.getState().session?.token ?? null,
		// If the session has already ended, a late 401 needs no action.
		unauthorized: () => store.getState().session !== null && store.dispatch(endSession()),
		staffEnded: () => store.dispatch(staffClosed()),
	});
	const store: Store = configure({ api, live });
	return store;
}

export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
