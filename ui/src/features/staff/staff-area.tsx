import { useEffect, useLayoutEffect } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { alertClosed } from '../../state/alert.ts';
import { modalClosed } from '../../state/modal.ts';
import { resetChoices } from '../../state/session-end.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { visitEnded } from '../../state/visit.ts';
import { PinGate } from './pin-gate.tsx';
import { leaveStaff, touchStaff } from './staff-actions.ts';
import styles from './staff-area.module.css';

/**
 * Minimum time between two reports of a touch, ms. The daemon ends staff mode only after two
 * minutes without an action or a touch.
 */
const TELL_EVERY_MS = 20_000;

/**
 * Reports touches while a staff screen is open, because staff who only read make no calls that show
 * their presence.
 */
function useTouches(open: boolean) {
	const dispatch = useAppDispatch();
	useEffect(() => {
		if (!open) return;
		let told = performance.now();
		const touched = () => {
			if (performance.now() - told < TELL_EVERY_MS) return;
			told = performance.now();
			dispatch(touchStaff());
		};
		window.addEventListener('pointerdown', touched);
		return () => window.removeEventListener('pointerdown', touched);
	}, [open, dispatch]);
}

/**
 * The staff screens behind the PIN. When staff leave, the screens are locked and the list is
 * cleared.
 */
export default function StaffArea() {
	const unlocked = useAppSelector((state) => state.pinLock.open);
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const { pathname } = useLocation();
	const home = () => navigate('/');

	// Staff screens are in Indonesian, even after a customer chose another language.
	useLayoutEffect(() => {
		dispatch(resetChoices());
	}, [dispatch]);

	// Closes the alert when another screen opens: it is about the previous screen and would cover
	// the new title.
	// biome-ignore lint/correctness/useExhaustiveDependencies: ends when the path changes
	useEffect(() => () => void dispatch(alertClosed()), [dispatch, pathname]);

	useEffect(
		() => () => {
			dispatch(leaveStaff());
			dispatch(modalClosed());
			dispatch(visitEnded());
		},
		[dispatch],
	);
	useTouches(unlocked);

	return (
		<div className={styles.screen}>
			{unlocked ? <Outlet /> : <PinGate onLeave={home} />}
			<IdleQuestion enabled onLeave={home} />
		</div>
	);
}
