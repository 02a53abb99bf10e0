import { type Aid, aidSwitched, aidsClosed, aidsOpened, volumeChanged } from '../state/aids.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import styles from './aids.module.css';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

const AIDS: readonly Aid[] = ['largeText', 'contrast', 'lowReach'];

function Switch({ aid }: { aid: Aid }) {
	const dispatch = useAppDispatch();
	const on = useAppSelector((state) => state.aids[aid]);
	return (
		<button type="button" className={styles.switch} aria-pressed={on} data-aid={aid} onClick={() => dispatch(aidSwitched(aid))}>
			<span className={styles.box}>{on && <Icon name="check" />}</span>
			{text.aids[aid]}
		</button>
	);
}

/**
 * A button for the volume of the spoken guidance. Each press selects the next volume and repeats
 * the current sentence.
 */
function VolumeKey() {
	const dispatch = useAppDispatch();
	const volume = useAppSelector((state) => state.aids.volume);
	return (
		<button type="button" className={styles.switch} onClick={() => dispatch(volumeChanged())}>
			<Icon name={volume === 'off' ? 'silence' : 'sound'} />
			{text.aids.volume[volume]}
		</button>
	);
}

/**
 * One button opens the switches for large text, high contrast, low reach and, if the kiosk speaks,
 * the volume. A choice stays until the visit ends.
 */
export function Aids() {
	const dispatch = useAppDispatch();
	const open = useAppSelector((state) => state.aids.open);
	const speaks = useAppSelector((state) => state.settings?.voice ?? false);
	const close = () => dispatch(aidsClosed());
	return (
		<>
			<button type="button" className={styles.open} onClick={() => dispatch(aidsOpened())}>
				<Icon name="aid" />
				<span>{text.aids.title}</span>
			</button>
			{open && (
				<Dialog
					title={text.aids.title}
					onDismiss={close}
					actions={
						<Button kind="primary" onClick={close}>
							{text.aids.close}
						</Button>
					}
				>
					<p>{text.aids.hint}</p>
					<div className={styles.switches}>
						{AIDS.map((aid) => (
							<Switch key={aid} aid={aid} />
						))}
						{speaks && <VolumeKey />}
					</div>
				</Dialog>
			)}
		</>
	);
}
