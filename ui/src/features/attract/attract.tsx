import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { BrandMark } from '../../components/brand-mark.tsx';
import { Clock } from '../../components/clock.tsx';
import { ConnectionPill } from '../../components/connection-pill.tsx';
import { HealthMark } from '../../components/health-mark.tsx';
import { Icon } from '../../components/icon.tsx';
import { Ways } from '../../components/ways.tsx';
import { attractBegan, attractEnded } from '../../state/attract.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import styles from './attract.module.css';
import { AttractArt, SCENES } from './attract-art.tsx';

/** How long a scene stays. Nothing moves in this time, so that an idle kiosk draws nothing. */
const SCENE_MS = 8_000;

/** Marks the attract screen as open, so that only one film plays. */
function useAttracting() {
	const dispatch = useAppDispatch();
	useEffect(() => {
		dispatch(attractBegan());
		return () => void dispatch(attractEnded());
	}, [dispatch]);
}

function Film({ address, onBroken }: { address: string; onBroken: () => void }) {
	const film = useRef<HTMLVideoElement>(null);
	useEffect(() => {
		film.current?.play().catch(() => undefined);
	}, []);
	return <video ref={film} className={styles.film} src={address} loop muted playsInline aria-label={text.promo.label} onError={onBroken} />;
}

function Scenes() {
	const [scene, setScene] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => setScene((before) => (before + 1) % SCENES), SCENE_MS);
		return () => clearInterval(timer);
	}, []);
	return <AttractArt scene={scene} />;
}

/**
 * Invites customers and covers the whole screen. It closes when a touch begins. This touch presses
 * no button behind it, because the customer could not see that button. A key press on an attached
 * keyboard or scanner closes it, too; this key is typed.
 */
export default function Attract({ onEnd }: { onEnd: () => void }): ReactNode {
	const address = useAppSelector((state) => state.settings?.promo_video ?? null);
	const name = useAppSelector((state) => state.settings?.site_name ?? '');
	const [broken, setBroken] = useState<string | null>(null);
	const dialog = useRef<HTMLDialogElement>(null);
	const end = useEffectEvent(onEnd);
	useAttracting();

	useEffect(() => {
		const opened = dialog.current;
		opened?.showModal();
		const listener = () => end();
		window.addEventListener('pointerdown', listener);
		window.addEventListener('keydown', listener);
		return () => {
			window.removeEventListener('pointerdown', listener);
			window.removeEventListener('keydown', listener);
			opened?.close();
		};
	}, []);

	const film = address !== null && address !== broken;
	return (
		<dialog ref={dialog} className={styles.attract} data-attract data-film={film} aria-label={text.attract.touch}>
			{film ? <Film address={address} onBroken={() => setBroken(address)} /> : <Scenes />}
			<header className={styles.brand}>
				<BrandMark />
				<span>{name}</span>
			</header>
			<div className={styles.words}>
				{!film && <p className={styles.tagline}>{text.promo.tagline}</p>}
				<p className={styles.touch}>
					<Icon name="touch" />
					{text.attract.touch}
				</p>
				<Ways />
			</div>
			<footer className={styles.foot}>
				<ConnectionPill />
				<HealthMark />
				<Clock />
			</footer>
		</dialog>
	);
}
