import { SideArt } from '../../components/side-art.tsx';
import styles from './attract-art.module.css';

/** The scenes are cash, card and QRIS code. */
export const SCENES = 3;

/** A note above its slot. */
const CASH = (
	<>
		<rect className={styles.paper} x="72" y="24" width="96" height="116" rx="8" />
		<circle cx="120" cy="82" r="24" />
		<path d="M86 42h20M134 122h20" />
		<rect className={styles.machine} x="36" y="140" width="168" height="64" rx="14" />
		<path className={styles.lit} d="M60 156h120" />
	</>
);

/** A card above a terminal. */
const CARD = (
	<>
		<rect className={styles.machine} x="66" y="72" width="108" height="140" rx="16" />
		<rect className={styles.paper} x="82" y="112" width="76" height="34" rx="6" />
		<path className={styles.keys} d="M92 166h.1M120 166h.1M148 166h.1M92 188h.1M120 188h.1M148 188h.1" />
		<rect className={styles.paper} x="76" y="26" width="88" height="58" rx="8" />
		<path d="M76 46h88M90 66h18" />
	</>
);

/** A code on a phone. */
const CODE = (
	<>
		<rect className={styles.machine} x="66" y="20" width="108" height="196" rx="18" />
		<rect className={styles.paper} x="80" y="44" width="80" height="80" rx="6" />
		<path d="M92 56h18v18H92zM130 56h18v18h-18zM92 94h18v18H92zM132 94v18M148 100v12M120 82h.1" />
		<path className={styles.lit} d="M96 160l16 16 32-32" />
	</>
);

/**
 * What the attract screen shows if there is no film: the payment methods in turn, in front of a
 * motorcycle wheel.
 */
export function AttractArt({ scene }: { scene: number }) {
	return (
		<div className={styles.art} aria-hidden="true">
			<SideArt />
			{[CASH, CARD, CODE].map((drawing, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the scenes never change places
				<svg key={index} className={styles.scene} viewBox="0 0 240 240" aria-hidden="true" data-shown={index === scene}>
					<circle className={styles.disc} cx="120" cy="120" r="118" />
					{drawing}
				</svg>
			))}
		</div>
	);
}
