import type { BoxState } from '@kiosk/contract/box-count';
import { formatRupiah, type Rupiah, rupiah } from '@kiosk/contract/money';
import { Button } from '../../components/button.tsx';
import { writtenTanggal } from '../../lib/site-time.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { AskingButton } from './asking-button.tsx';
import styles from './box-screen.module.css';

const words = staffText.box;

type Result = NonNullable<BoxState['result']>;

function differenceText(counted: Rupiah, expected: Rupiah): string {
	if (counted === expected) return words.equal;
	const amount = formatRupiah(rupiah(Math.abs(counted - expected)));
	return counted > expected ? words.more(amount) : words.less(amount);
}

const signOf = (difference: number): string => (difference > 0 ? '+' : difference < 0 ? '-' : '');
const signed = (count: number): string => signOf(count) + Math.abs(count);

/** After a count, shows counted and expected notes side by side. */
export function BoxResult({
	result,
	renewed,
	onAgain,
	onSave,
	onLeave,
}: {
	result: Result;
	renewed: BoxState['renewed'];
	onAgain: () => void;
	onSave: () => Promise<void>;
	onLeave: () => void;
}) {
	const { notes, expected, counted, times, in_doubt, outdated } = result;
	return (
		<div className={styles.result}>
			<header>
				<h1 className={styles.title}>{words.result}</h1>
				<p className={styles.verdict} data-tone={counted === expected ? 'good' : 'wait'} role="status">
					{outdated ? words.outdated : differenceText(counted, expected)}
				</p>
				<p className={styles.hint}>
					{words.times(times)} · {words.by(result.by)}
				</p>
				{renewed && <p className={styles.hint}>{words.renewed(writtenTanggal(renewed.time))}</p>}
				{in_doubt > 0 && <p className={styles.hint}>{words.inDoubt(in_doubt)}</p>}
			</header>
			<table className={styles.table}>
				<thead>
					<tr>
						{words.columns.map((column) => (
							<th key={column}>{column}</th>
						))}
					</tr>
				</thead>
				<tbody>
					{notes.map((note) => (
						<tr key={note.nominal} data-differs={note.counted !== note.expected}>
							<th scope="row">{formatRupiah(note.nominal)}</th>
							<td>{note.counted}</td>
							<td>{note.expected}</td>
							<td>{signed(note.counted - note.expected)}</td>
						</tr>
					))}
					<tr>
						<th scope="row">{words.total}</th>
						<td>{formatRupiah(counted)}</td>
						<td>{formatRupiah(expected)}</td>
						<td>{signOf(counted - expected) + formatRupiah(rupiah(Math.abs(counted - expected)))}</td>
					</tr>
				</tbody>
			</table>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
				<Button icon="reload" onClick={onAgain}>
					{words.again}
				</Button>
				{!outdated && (
					<AskingButton
						icon="check"
						words={{ button: words.save, title: words.saveTitle, go: words.saveGo, stay: words.saveStay }}
						onConfirm={() => void onSave()}
					>
						<p>{words.saveBody}</p>
					</AskingButton>
				)}
			</footer>
		</div>
	);
}
