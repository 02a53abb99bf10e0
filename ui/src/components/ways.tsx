import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './ways.module.css';

/** The payment methods of this kiosk, shown before an invoice limits the choice. */
export function Ways() {
	const cash = useAppSelector((state) => (state.settings?.notes.length ?? 0) > 0);
	const card = useAppSelector((state) => state.settings?.edc ?? false);
	const ways: [IconName, string][] = [
		...(cash ? ([['note', text.ways.cash]] as [IconName, string][]) : []),
		...(card ? ([['card', text.ways.card]] as [IconName, string][]) : []),
		['qr', text.ways.qris],
		['bank', text.ways.va],
	];
	return (
		<ul className={styles.ways} aria-label={text.ways.title}>
			{ways.map(([icon, name]) => (
				<li key={icon}>
					<Icon name={icon} />
					{name}
				</li>
			))}
		</ul>
	);
}
