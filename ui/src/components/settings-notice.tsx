import { formatRupiah } from '@kiosk/contract/money';
import { useLocation } from 'react-router-dom';
import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { Icon } from './icon.tsx';
import styles from './settings-notice.module.css';

/** Only these screens show the notice, because a customer who pays cannot act on it. */
const QUIET_SCREENS = ['/', '/login'];

/**
 * Tells staff and technicians which changed settings keep cash closed. If there are none, shows the
 * first invalid setting with its line number.
 */
export function SettingsNotice() {
	const settings = useAppSelector((state) => state.settings);
	const { pathname } = useLocation();
	if (settings === null || !QUIET_SCREENS.includes(pathname)) return null;
	const { unconfirmed, held_money, setup_problems } = settings;
	if (unconfirmed.length > 0)
		return (
			<div className={styles.notice} role="note">
				<p className={styles.title}>
					<Icon name="warning" />
					{text.unconfirmed.title}
				</p>
				<p>{held_money === null ? text.unconfirmed.hint : text.unconfirmed.server}</p>
				{held_money !== null && held_money.count > 0 && <p>{text.unconfirmed.held(held_money.count, formatRupiah(held_money.total))}</p>}
				<p className={styles.problem}>{unconfirmed.join(', ')}</p>
			</div>
		);
	const [first, ...more] = setup_problems;
	if (first === undefined) return null;
	return (
		<div className={styles.notice} role="note">
			<p className={styles.title}>
				<Icon name="warning" />
				{text.setup.title}
			</p>
			<p>{text.setup.hint}</p>
			<p lang="en" className={styles.problem}>
				{first}
				{more.length > 0 && ` (${text.setup.more(more.length)})`}
			</p>
		</div>
	);
}
