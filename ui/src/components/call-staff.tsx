import { CALLING_SCREENS } from '@kiosk/contract/calling-screens';
import { useLocation } from 'react-router-dom';
import { siteTime } from '../lib/site-time.ts';
import { callStaff } from '../state/call-staff.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { useTimezone } from '../state/timezone.ts';
import { text } from '../text/screens.ts';
import styles from './call-staff.module.css';
import { Icon } from './icon.tsx';

/**
 * A button on the customer screens that calls staff with one press. After the press it shows the
 * time of the call, or that the call failed. If the settings name the staff's telephone number, it
 * shows this number, too.
 */
export function CallStaff() {
	const { pathname } = useLocation();
	const dispatch = useAppDispatch();
	const timezone = useTimezone();
	const { since, asking, failed } = useAppSelector((state) => state.staffCall);
	const phone = useAppSelector((state) => state.settings?.staff_phone ?? '');
	const screen = CALLING_SCREENS.find((one) => one === pathname);
	if (screen === undefined) return null;
	const number = phone !== '' && (since !== null || failed) && <span className={styles.phone}>{text.callStaff.phone(phone)}</span>;
	if (since !== null)
		return (
			<p className={styles.called} role="status">
				<Icon name="staff" />
				<span>
					{text.callStaff.called(siteTime(timezone, new Date(since)).time.slice(0, 5))}
					{number}
				</span>
			</p>
		);
	return (
		<button type="button" className={styles.call} onClick={() => void dispatch(callStaff(screen))} disabled={asking} aria-busy={asking}>
			<Icon name="staff" />
			<span role={failed ? 'alert' : undefined}>
				{failed ? text.callStaff.failed : text.callStaff.button}
				{number}
			</span>
		</button>
	);
}
