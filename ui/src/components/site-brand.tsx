import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { BrandMark } from './brand-mark.tsx';
import { Pill } from './pill.tsx';
import { SettingsNotice } from './settings-notice.tsx';
import styles from './site-brand.module.css';

/**
 * Shows the dealer's name, the settings notice for staff and, for an outlet with the development
 * flag, the label Development.
 */
export function SiteBrand() {
	const name = useAppSelector((state) => state.settings?.site_name ?? '');
	const development = useAppSelector((state) => state.session?.development ?? false);
	return (
		<>
			<div className={styles.brand}>
				<BrandMark />
				<span className={styles.name}>{name}</span>
				{development && (
					<span className={styles.development}>
						<Pill tone="wait" icon="warning">
							{text.development}
						</Pill>
					</span>
				)}
			</div>
			<SettingsNotice />
		</>
	);
}
