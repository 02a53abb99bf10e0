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
const StaffArea = lazy(() => import('../features/staff/staff-area.tsx'));
const TransactionsScreen = lazy(() => import('../features/staff/daftar-transaksi.tsx'));
const StaffHomeScreen = lazy(() => import('../features/staff/staff-home.tsx'));
const BoxScreen = lazy(() => import('../features/staff/box-screen.tsx'));
const CasesScreen = lazy(() => import('../features/staff/cases-screen.tsx'));
const CheckScreen = lazy(() => import('../features/staff/check-screen.tsx'));
const RehearsalScreen = lazy(() => import('../features/staff/rehearsal-screen.tsx'));
const PrintScreen = lazy(() => import('../features/receipt/cetak.tsx'));
const NotFoundScreen = lazy(() => import('../kiosk/not-found.tsx'));

/**
 * Guards all routes except /login, /logout and the 404 page. Without the session cookie it leads to
 * /login; with it, it keeps the live socket open.
 */
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

/**
 * Sets the document's language. After a change, every screen is rendered again, because texts are
 * read while rendering. The screens keep their state.
 */
function useLanguage(): void {
	const language = useAppSelector((state) => state.language.shown);
	useEffect(() => {
		document.documentElement.lang = language;
	}, [language]);
}

/** Tells the style sheets which display aids are on: high contrast, low reach. */
function useAids(): void {
	const { contrast, lowReach } = useAppSelector((state) => state.aids);
	useEffect(() => {
		document.documentElement.dataset.contrast = contrast ? 'high' : 'usual';
		document.documentElement.dataset.reach = lowReach ? 'low' : 'usual';
	}, [contrast, lowReach]);
}

function Screens() {
	useLanguage();
	useAids();
	useHeartbeat();
	return (
		<Suspense>
			<Routes>
				<Route path="/login" element={<LoginScreen />} />
				<Route path="/logout" element={<LogoutScreen />} />
				<Route element={<LoggedIn />}>
					<Route element={<Layout variant="home" />}>
						<Route path="/" element={<HomeScreen />} />
					</Route>
					<Route element={<Layout variant="visit" />}>
						<Route path="/payment-method" element={<MethodScreen />} />
						<Route path="/cash-payment" element={<CashScreen />} />
						<Route path="/edc-bca-payment" element={<CardScreen />} />
						<Route path="/non-cash-payment" element={<NonCashScreen />} />
					</Route>
					<Route element={<Layout variant="staff" />}>
						<Route element={<StaffArea />}>
							<Route path="/daftar-transaksi" element={<TransactionsScreen />} />
							<Route path="/staf" element={<StaffHomeScreen />} />
							<Route path="/staf/kotak" element={<BoxScreen />} />
							<Route path="/staf/kasus" element={<CasesScreen />} />
							<Route path="/staf/periksa" element={<CheckScreen />} />
							<Route path="/staf/uji" element={<RehearsalScreen />} />
						</Route>
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
