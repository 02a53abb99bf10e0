import type { BoxState, CountedNote } from '@kiosk/contract/box-count';
import { formatRupiah, type Rupiah, rupiah, sumRupiah } from '@kiosk/contract/money';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Keypad } from '../../components/keypad.tsx';
import { NotePicture } from '../../components/note-picture.tsx';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import styles from './box-screen.module.css';

const words = staffText.box;
/**
 * Maximum number of digits. A cashbox holds fewer than 10,000 notes, so a fifth digit is a typing
 * error.
 */
const MOST_DIGITS = 4;

type BoxCountingProps = {
	by: string;
	/** Largest denomination first. */
	nominals: readonly Rupiah[];
	renewed: BoxState['renewed'];
	onCount: (notes: CountedNote[]) => Promise<void>;
	onLeave: () => void;
};

/**
 * Staff enter how many notes of each denomination they counted. They do not see the expected
 * amount.
 */
export function BoxCounting({ by, nominals, renewed, onCount, onLeave }: BoxCountingProps) {
	const [typed, setTyped] = useState<Record<number, string>>({});
	const [at, setAt] = useState(0);
	const [busy, setBusy] = useState(false);
	const chosen = nominals[at] as Rupiah;
	const sheets = (nominal: Rupiah) => Number(typed[nominal] || 0);
	const notes = nominals.map((nominal) => ({ nominal, count: sheets(nominal) }));
	const total = sumRupiah(notes.map(({ nominal, count }) => rupiah(nominal * count)));

	const change = (digits: string) => setTyped({ ...typed, [chosen]: digits.slice(0, MOST_DIGITS) });
	const isLast = at === nominals.length - 1;

	async function finish() {
		setBusy(true);
		await onCount(notes);
		setBusy(false);
	}

	return (
		<div className={styles.count}>
			<header>
				<h1 className={styles.title}>{words.title}</h1>
				<p className={styles.hint}>{words.steps}</p>
				<p className={styles.hint}>
					{words.by(by)}. {words.blind}
				</p>
				{renewed?.dropped && <p className={styles.hint}>{words.dropped(renewed.dropped)}</p>}
			</header>
			<ul className={styles.notes}>
				{nominals.map((nominal, index) => (
					<li key={nominal}>
						<button type="button" className={styles.note} aria-pressed={index === at} onClick={() => setAt(index)}>
							<NotePicture nominal={nominal} />
							<span className={styles.sheets}>
								<b>{sheets(nominal)}</b> {words.sheets}
							</span>
						</button>
					</li>
				))}
			</ul>
			<div className={styles.keys}>
				<Keypad
					onDigit={(digit) => change((typed[chosen] ?? '') + digit)}
					onBackspace={() => change((typed[chosen] ?? '').slice(0, -1))}
					onConfirm={() => setAt(isLast ? 0 : at + 1)}
					confirmDisabled={busy}
				/>
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
				<p className={styles.sum}>
					{words.counted} <b>{formatRupiah(total)}</b>
				</p>
				<Button kind="primary" icon="check" busy={busy} onClick={() => void finish()}>
					{words.finish}
				</Button>
			</footer>
		</div>
	);
}
