import { useEffect, useRef } from 'react';
import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import styles from './promo.module.css';

/**
 * Shows the dealer's film. If there is none, the home screen shows a tagline instead. `calm` pauses
 * and dims the film.
 * @param hidden whether the attract screen covers the page; it plays the film itself, and only one
 * film may play
 */
export function Promo({ calm, hidden }: { calm: boolean; hidden: boolean }) {
	const address = useAppSelector((state) => state.settings?.promo_video ?? null);
	const film = useRef<HTMLVideoElement>(null);

	useEffect(() => {
		const video = film.current;
		if (video === null || address === null || hidden) return;
		if (calm) video.pause();
		// If the film cannot play, its place stays empty; this does not disturb the kiosk.
		else video.play().catch(() => undefined);
	}, [calm, address, hidden]);

	if (hidden) return null;
	if (address === null) {
		return calm ? null : <p className={styles.tagline}>{text.promo.tagline}</p>;
	}
	return (
		<div className={`${styles.film} ${calm ? styles.calm : ''}`}>
			<video ref={film} src={address} loop muted autoPlay={!calm} playsInline aria-label={text.promo.label} />
		</div>
	);
}
