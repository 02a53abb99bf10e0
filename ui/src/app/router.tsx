import { lazy, Suspense, useEffect } from 'react';
import { BrowserRouter, Navigate, Outlet, Route, Routes } from 'react-router-dom';
import { Layout } from '../components/layout.tsx';
import { HomeScreen } from '../features/invoice/home.tsx';
import { visitScreens } from '../features/invoice/visit-screens.ts';
import { ErrorBoundary } from '../kiosk/error-boundary.tsx';
import { useHeartbeat } from '../kiosk/heartbeat.ts';
import { readSession } from '../lib/session-cookie.ts';
import { keepConnected } from '../state/live-events.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';

const LoginScreen = lazy(() => import('../features/session/login.tsx'));
const LogoutScreen = lazy(() => import('../features/session/logout.tsx'));
const MethodScreen = lazy(visitScreens.method);
const CashScreen = lazy(visitScreens.cash);
const CardScreen = lazy(visitScreens.card);
const NonCashScreen = lazy(visitScreens.nonCash);
const TransactionsScreen = lazy(() => import('../features/staff/daftar-transaksi.tsx'));
const PrintScreen = lazy(() => import('../features/receipt/cetak.tsx'));
const NotFoundScreen = lazy(() => import('../kiosk/not-found.tsx'));

/** Guard of every route but /login: requires the session cookie and keeps the live socket open. */
function LoggedIn() {
	const token = useAppSelector((state) => state.session?.token ?? null);
	const dispatch = useAppDispatch();
	const cookie = readSession();

	useEffect(() => {
		if (token === null) return;
		return dispatch(keepConnected(token));
	}, [token, dispatch]);

	if (token === null || cookie === null) return <Navigate to="/login" replace />;
	return <Outlet />;
}

function Screens() {
	useHeartbeat();
	return (
		<Suspense>
			<Routes>
				<Route path="/login" element={<LoginScreen />} />
				<Route path="/logout" element={<LogoutScreen />} />
				<Route element={<LoggedIn />}>
					<Route element={<Layout />}>
						<Route path="/" element={<HomeScreen />} />
						<Route path="/payment-method" element={<MethodScreen />} />
						<Route path="/cash-payment" element={<CashScreen />} />
						<Route path="/edc-bca-payment" element={<CardScreen />} />
						<Route path="/non-cash-payment" element={<NonCashScreen />} />
						<Route path="/daftar-transaksi" element={<TransactionsScreen />} />
					</Route>
					<Route path="/cetak" element={<PrintScreen />} />
				</Route>
				<Route path="*" element={<NotFoundScreen />} />
			</Routes>
		</Suspense>
	);
}

export function Router() {
	return (
		<BrowserRouter>
			<ErrorBoundary>
				<Screens />
			</ErrorBoundary>
		</BrowserRouter>
	);
}
