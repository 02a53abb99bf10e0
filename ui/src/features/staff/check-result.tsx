import { formatRupiah } from '@kiosk/contract/money';
import type { CheckedPaper, EarlierPaper, SlipVerdict, Verdict } from '@kiosk/contract/slip-check';
import type { StaffCase } from '@kiosk/contract/staff-cases';
import { Button } from '../../components/button.tsx';
import { Fact } from '../../components/fact.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { writtenTanggal } from '../../lib/site-time.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import styles from './check-screen.module.css';

const words = staffText.check;

/** Colour and icon of a verdict. The words beside them say the same. */
const LOOK: Record<Exclude<Verdict, 'mistyped'>, { tone: 'good' | 'wait' | 'stop'; icon: IconName }> = {
	genuine: { tone: 'good', icon: 'check' },
	shown: { tone: 'wait', icon: 'warning' },
	copy: { tone: 'wait', icon: 'warning' },
	given: { tone: 'stop', icon: 'stop' },
	earlier: { tone: 'stop', icon: 'stop' },
	unknown: { tone: 'stop', icon: 'stop' },
	forged: { tone: 'stop', icon: 'stop' },
	other_kiosk: { tone: 'wait', icon: 'warning' },
};

function Paper({ paper }: { paper: CheckedPaper }) {
	const { kind, code, noinvoice, signed_amount, money, case: open, given, shown } = paper;
	return (
		<dl className={styles.facts}>
			{open && open.amount !== null && <Fact name={words.owed} value={formatRupiah(open.amount)} />}
			{given && <Fact name={words.given} value={words.givenBy(formatRupiah(given.amount), given.by, writtenTanggal(given.time))} />}
			<Fact name={words.paper} value={words.kind[kind]} />
			{code !== '' && <Fact name={words.code} value={code} />}
			{noinvoice !== '' && <Fact name={words.number} value={noinvoice} />}
			{signed_amount !== null && <Fact name={words.onPaper} value={formatRupiah(signed_amount)} />}
			{money && <Fact name={words.total} value={formatRupiah(money.total)} />}
			{money && <Fact name={words.received} value={formatRupiah(money.received)} />}
			{money && <Fact name={words.now} value={words.state[money.state]} />}
			<Fact name={words.printed} value={writtenTanggal(paper.printed)} />
			{shown && <Fact name={words.shown} value={words.shownTimes(shown.times, writtenTanggal(shown.last))} />}
		</dl>
	);
}

function Earlier({ earlier: { renewed, signed, shown } }: { earlier: EarlierPaper }) {
	return (
		<dl className={styles.facts}>
			<Fact name={words.renewed} value={writtenTanggal(renewed)} />
			{signed && <Fact name={words.number} value={signed.noinvoice} />}
			{signed && <Fact name={words.onPaper} value={formatRupiah(signed.amount)} />}
			{signed && <Fact name={words.change} value={formatRupiah(signed.change)} />}
			{signed && <Fact name={words.printed} value={signed.printed} />}
			{shown && <Fact name={words.shown} value={words.shownTimes(shown.times, writtenTanggal(shown.last))} />}
		</dl>
	);
}

type CheckResultProps = {
	found: SlipVerdict;
	onCase: (open: StaffCase) => void;
	onAgain: () => void;
	onLeave: () => void;
};

/** Shows what the kiosk knows about a checked printout, and a button that opens its case. */
export function CheckResult({ found: { verdict, kiosk, paper, earlier }, onCase, onAgain, onLeave }: CheckResultProps) {
	if (verdict === 'mistyped') return null;
	const { tone, icon } = LOOK[verdict];
	const open = paper?.case ?? null;
	return (
		<div className={styles.screen}>
			<div className={styles.result}>
				<section className={styles.verdict} data-tone={tone} role="status">
					<Icon name={icon} />
					<div>
						<h1 className={styles.title}>{words.verdict[verdict].title}</h1>
						<p>{words.verdict[verdict].body}</p>
						{earlier?.signed === null && <p>{words.unproved}</p>}
						{verdict === 'other_kiosk' && <p>{words.kiosk(kiosk)}</p>}
					</div>
				</section>
				{paper && <Paper paper={paper} />}
				{earlier && <Earlier earlier={earlier} />}
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
				<Button kind={open ? 'secondary' : 'primary'} icon="search" onClick={onAgain}>
					{words.again}
				</Button>
				{open && (
					<Button kind="primary" icon="note" onClick={() => onCase(open)}>
						{words.toCase}
					</Button>
				)}
			</footer>
		</div>
	);
}
