import { useState } from 'react';
import { pictureAddress } from '../lib/picture-address.ts';
import { useAppSelector } from '../state/store.ts';
import styles from './site-brand.module.css';

/** The dealer's logo, or the first letter of the name where none is known or it does not load. */
export function BrandMark() {
	const name = useAppSelector((state) => state.settings?.site_name ?? '');
	const logo = useAppSelector((state) => state.brand.logo);
	const [broken, setBroken] = useState('');
	if (logo !== '' && logo !== broken) {
		return <img className={styles.logo} src={pictureAddress(logo)} alt="" onError={() => setBroken(logo)} />;
	}
	return (
		<span className={styles.mark} aria-hidden="true">
			{name.trim().charAt(0).toUpperCase()}
		</span>
	);
}
