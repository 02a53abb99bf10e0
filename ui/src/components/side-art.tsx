import styles from './side-art.module.css';

const SPOKES = Array.from({ length: 18 }, (_, spoke) => spoke * 20);
const TREAD = Array.from({ length: 60 }, (_, block) => block * 6);

/** A motorcycle wheel, larger than its area and drawn behind the area's content. */
export function SideArt() {
	return (
		<svg className={styles.art} viewBox="0 0 600 600" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
			<g transform="translate(470 170)">
				<circle className={styles.tyre} r="330" />
				{TREAD.map((turn) => (
					<path key={turn} className={styles.line} d="M0-362l10 26" transform={`rotate(${turn})`} />
				))}
				<circle className={styles.line} r="286" />
				<circle className={styles.line} r="270" />
				{SPOKES.map((turn) => (
					<path key={turn} className={styles.line} d="M-14-52L0-270L14-52" transform={`rotate(${turn})`} />
				))}
				<circle className={styles.disc} r="118" />
				<circle className={styles.hub} r="56" />
				<circle className={styles.line} r="26" />
			</g>
		</svg>
	);
}
