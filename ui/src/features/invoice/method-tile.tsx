import { Icon, type IconName } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { isFirstTap } from '../../components/taps.ts';
import styles from './method-tile.module.css';

type MethodTileProps = {
	icon: IconName;
	name: string;
	/**
	 * A line can break only between two of the parts. Dots separate the parts and never begin a line.
	 */
	hint?: string | readonly string[];
	/** Why this method is not available now. The disabled tile shows this text. */
	obstacle?: string | null;
	/** The method was chosen and is being prepared. */
	busy?: boolean;
	onPick: () => void;
};

function Parts({ parts }: { parts: readonly string[] }) {
	return parts.map((part, index) => (
		<span key={part}>
			<span className={styles.part}>
				{part}
				{index < parts.length - 1 && ' ·'}
			</span>{' '}
		</span>
	));
}

/** A button for one payment method. */
export function MethodTile({ icon, name, hint, obstacle = null, busy = false, onPick }: MethodTileProps) {
	return (
		<button
			type="button"
			className={styles.tile}
			disabled={obstacle !== null}
			aria-busy={busy}
			onClick={(event) => isFirstTap(event) && onPick()}
		>
			<span className={styles.picture}>
				<Icon name={icon} />
			</span>
			<span className={styles.words}>
				<span className={styles.name}>{name}</span>
				{obstacle === null ? (
					hint && <span className={styles.hint}>{typeof hint === 'string' ? hint : <Parts parts={hint} />}</span>
				) : (
					<span className={styles.obstacle}>
						<Icon name="warning" />
						<span>{obstacle}</span>
					</span>
				)}
			</span>
			{busy ? <Spinner /> : obstacle === null && <Icon name="next" className={styles.next} />}
		</button>
	);
}
