import { useState } from 'react';
import { keepLogo, readLogo } from '../lib/kept-logo.ts';
import { isLightPicture } from '../lib/light-picture.ts';
import { pictureAddress } from '../lib/picture-address.ts';
import { useAppSelector } from '../state/store.ts';
import styles from './site-brand.module.css';

/**
 * Shows the dealer's logo. If no logo is known or the logo fails to load, shows the first letter of
 * the dealer's name. After a failure, the next invoice that names a logo starts a new attempt.
 */
export function BrandMark() {
	const name = useAppSelector((state) => state.settings?.site_name ?? '');
	const brand = useAppSelector((state) => state.brand);
	const [kept] = useState(readLogo);
	const [broken, setBroken] = useState(-1);
	const [light, setLight] = useState(false);
	const logo = brand.logo || kept;
	if (logo !== '' && brand.named !== broken) {
		return (
			<img
				key={brand.named}
				className={styles.logo}
				src={pictureAddress(logo)}
				alt=""
				data-light={light}
				onLoad={(event) => {
					keepLogo(logo);
					setLight(isLightPicture(event.currentTarget));
				}}
				onError={() => setBroken(brand.named)}
			/>
		);
	}
	return (
		<span className={styles.mark} aria-hidden="true">
			{name.trim().charAt(0).toUpperCase()}
		</span>
	);
}
