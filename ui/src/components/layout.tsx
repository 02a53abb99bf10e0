import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { paymentOnScreen } from '../state/paid.ts';
import { useAppSelector } from '../state/store.ts';
import { Aids } from './aids.tsx';
import { AlertBar } from './alert-bar.tsx';
import { CallStaff } from './call-staff.tsx';
import { Clock } from './clock.tsx';
import { ConnectionPill } from './connection-pill.tsx';
import { Guide } from './guide.tsx';
import { HealthMark } from './health-mark.tsx';
import { InvoicePanel } from './invoice-panel.tsx';
import styles from './layout.module.css';
import { Promo } from './promo.tsx';
import { SideArt } from './side-art.tsx';
import { SiteBrand } from './site-brand.tsx';

/**
 * Each route declares its variant. `home` and `visit` have the same areas in the same places.
 * `staff` has no steps and no invoice.
 */
export type LayoutVariant = 'home' | 'visit' | 'staff';

/**
 * The areas of the screen: brand and steps, the task, the invoice. From the home screen to the
 * receipt, each area stays in its place.
 */
export function Layout({ variant }: { variant: LayoutVariant }) {
	const { pathname } = useLocation();
	const paid = useAppSelector((state) => paymentOnScreen(state) !== null);
	const unlocked = useAppSelector((state) => state.pinLock.open);
	const attracting = useAppSelector((state) => state.attract);
	const home = variant === 'home';
	const staff = variant === 'staff';
	// The cash screen shows alerts in a place of its own, where they neither cover nor move the
	// amounts.
	const payingCash = pathname === '/cash-payment' && !paid;
	return (
		<div className={styles.frame} data-at={staff ? (unlocked ? 'staff' : 'pin') : variant}>
			<header className={styles.side}>
				<SideArt />
				<div className={styles.brand}>
					<SiteBrand />
				</div>
				{!staff && <Guide />}
				<div className={styles.promo}>
					<Promo calm={!home} hidden={attracting} />
				</div>
				<div className={styles.foot}>
					<ConnectionPill />
					<span>
						{home && <HealthMark />}
						<Clock />
					</span>
				</div>
			</header>
			<main className={styles.task}>
				{!payingCash && (
					<div className={styles.alert}>
						<AlertBar />
					</div>
				)}
				<Suspense>
					<Outlet />
				</Suspense>
			</main>
			{!staff && <InvoicePanel />}
			{!staff && (
				<div className={styles.aids}>
					<Aids />
					<CallStaff />
				</div>
			)}
		</div>
	);
}
