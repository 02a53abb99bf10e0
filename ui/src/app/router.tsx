import { lazy, Suspense, useEffect } from 'react';
import { BrowserRouter, Navigate, Outlet, Route, Routes } from 'react-router-dom';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Layout } from '../components/layout.tsx';
import { HomeScreen } from '../screens/home/home.tsx';
import { useHeartbeat } from './heartbeat.ts';
import { keepConnected } from './live-events.ts';
import { readSession } from './session-cookie.ts';
import { useAppDispatch, useAppSelector } from './store.ts';
import { visitScreens } from './visit-screens.ts';

const LoginScreen = lazy(() => import('../screens/login/login.tsx'));
const LogoutScreen = lazy(() => import('../screens/logout/logout.tsx'));
const MethodScreen = lazy(visitScreens.method);
const CashScreen = lazy(visitScreens.cash);
const CardScreen = lazy(visitScreens.card);
const NonCashScreen = lazy(visitScreens.nonCash);
const TransactionsScreen = lazy(() => import('../screens/daftar-transaksi/daftar-transaksi.tsx'));
const PrintScreen = lazy(() => import('../screens/cetak/cetak.tsx'));
const NotFoundScreen = lazy(() => import('../screens/not-found/not-found.tsx'));

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
