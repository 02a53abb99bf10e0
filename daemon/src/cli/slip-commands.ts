import { formatRupiah } from '@kiosk/contract/money';
import { LONGEST_CODE, type SlipVerdict, type Verdict } from '@kiosk/contract/slip-check';
import type { Asked } from '../staff/ask-daemon.ts';
import type { PublicSlipKey } from '../staff/slip-calls.ts';
import type { CommandTools } from './command-tools.ts';

const USAGE = 2;
/** Exit code if the daemon gives no verdict. "Not genuine" is 1. */
const NO_ANSWER = 3;

/** @returns `kioskctl verify` and `kioskctl key`, by name */
export function slipCommands(deps: {
	/** The code, in one or more arguments. */
	words: readonly string[];
	json: boolean;
	ask: (path: string, body: object) => Promise<Asked>;
	tools: Pick<CommandTools, 'say' | 'call'>;
	complain: (sentence: string) => void;
	exit: (code: number) => void;
}): Record<string, () => Promise<void>> {
	const { json, complain, exit } = deps;
	const { say, call } = deps.tools;

	function failed(code: number, sentence: string): void {
		complain(sentence);
		exit(code);
	}

	return {
		async verify() {
			const code = deps.words.join(' ').trim();
			if (code === '' || code.length > LONGEST_CODE)
				return failed(USAGE, 'Which code? Type the code at the foot of the paper, or the text of its QR code.');
			const answer = await deps.ask('/slip/check', { code });
			if (!answer.ok) return failed(NO_ANSWER, `The daemon does not answer: ${answer.message}`);
			if (answer.status !== 200) return failed(NO_ANSWER, reasonOf(answer.text));
			const verdict: SlipVerdict = JSON.parse(answer.text);
			if (verdict.verdict === 'mistyped') exit(USAGE);
			else exit(verdict.verdict === 'genuine' ? 0 : 1);
			say(json ? JSON.stringify(verdict, null, '\t') : verdictText(verdict));
		},
		async key() {
			const { line } = await call<PublicSlipKey>('GET', '/slip/key');
			say(line);
		},
	};
}

const SENTENCE: Record<Verdict, string> = {
	genuine: 'Genuine: this kiosk has printed it.',
	shown: 'Genuine, but it was shown at this kiosk before.',
	copy: 'A copy: this kiosk has printed it, but it is not the first receipt of this payment.',
	given: 'Used: its money was given to the customer.',
	earlier:
		'Older than the present journal, so it is not known whether its change was given. Give change only if the list of “kioskctl journal restart” (open.json) contains the invoice, and write in that list that you gave it.',
	unknown: 'Unknown: the journal has no such receipt or slip.',
	forged: 'Forged: the code or a fact in it was changed.',
	other_kiosk: 'From another kiosk: it is signed with another key.',
	mistyped: 'Mistyped: a character is missing or wrong. Nothing is known about the receipt or slip.',
};
const KIND = {
	receipt: 'receipt',
	copy: 'receipt, copy',
	partial: 'slip of a partly paid invoice',
	collection: 'cashbox slip',
	given: 'slip of money given back',
};

function verdictText({ verdict, kiosk, paper, earlier }: SlipVerdict): string {
	const lines = [SENTENCE[verdict]];
	if (verdict === 'other_kiosk') lines.push(`  kiosk     key ${kiosk}…`);
	if (paper) {
		const { money, given, shown } = paper;
		lines.push(`  code      ${paper.code}`, `  paper     ${KIND[paper.kind]}, record ${paper.record}, printed ${paper.printed}`);
		if (paper.noinvoice !== '') lines.push(`  invoice   ${paper.noinvoice}`);
		if (paper.signed_amount !== null) lines.push(`  amount    the paper must show ${formatRupiah(paper.signed_amount)}`);
		if (money) lines.push(`  now       ${money.state.replace('_', ' ')}: ${formatRupiah(money.received)} of ${formatRupiah(money.total)}`);
		if (paper.case?.amount) lines.push(`  owed      ${formatRupiah(paper.case.amount)}, not given yet`);
		if (given) lines.push(`  given     ${formatRupiah(given.amount)} by ${given.by}, ${given.time}`);
		if (shown) lines.push(`  shown     ${shown.times} time(s), last ${shown.last}`);
	}
	if (earlier) {
		const { signed, shown } = earlier;
		lines.push(`  journal   began ${earlier.renewed}; the paper is record ${earlier.record} of the previous journal`);
		if (signed)
			lines.push(
				`  invoice   ${signed.noinvoice}, printed ${signed.printed}`,
				`  amount    the paper must show ${formatRupiah(signed.amount)}, change ${formatRupiah(signed.change)}`,
			);
		else lines.push('  proof     none: only the QR code proves that this kiosk printed it');
		if (shown) lines.push(`  shown     ${shown.times} time(s), last ${shown.last}`);
	}
	return lines.join('\n');
}

function reasonOf(text: string): string {
	try {
		return String(JSON.parse(text).reason ?? text);
	} catch {
		return text;
	}
}
