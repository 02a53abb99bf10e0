import type { HealthParts } from './health.ts';
import type { PartNow } from './report.ts';

const rupiahOf = (items: readonly { amount: number }[]): number => items.reduce((sum, { amount }) => sum + amount, 0);

/** What a person has to settle; nothing where there is nothing. */
export function toSettle(of: HealthParts): PartNow[] {
	return [cardMoney(of), inDoubt(of), partial(of), uncounted(of)].filter((part) => part !== null);
}

function inDoubt(of: HealthParts): PartNow | null {
	const notes = of.journal.inDoubt();
	if (notes.length === 0) return null;
	const total = rupiahOf(notes.map(({ nominal }) => ({ amount: nominal ?? 0 })));
	return {
		part: 'in doubt',
		state: 'warn',
		code: String(notes.length),
		text: `${notes.length} note(s), Rp ${total}, may or may not be in the cashbox`,
		why: '',
		remedy: 'Compare with the cashbox and settle each one: kioskctl cash report says how. They are listed below.',
	};
}

function partial(of: HealthParts): PartNow | null {
	const left = of.journal.cashbox.partials().filter(({ payment }) => !of.cash.isPaying(payment));
	if (left.length === 0) return null;
	const total = rupiahOf(left.map(({ received }) => ({ amount: received })));
	return {
		part: 'partial cash',
		state: 'warn',
		code: String(left.length),
		text: `${left.length} invoice(s) are paid in part, Rp ${total}; the oldest is ${left[0]?.payment.noinvoice}, since ${left[0]?.since}`,
		why: '',
		remedy: 'The rest is paid here or at the cashier; then kioskctl cash done INVOICE. They are listed below.',
	};
}

function uncounted(of: HealthParts): PartNow | null {
	const removals = of.journal.cashbox.uncounted();
	const last = removals.at(-1);
	if (!last) return null;
	const others = removals.length > 1 ? `; it was out ${removals.length} times since it was counted, first at ${removals[0]?.time}` : '';
	return {
		part: 'cashbox',
		state: 'warn',
		code: `${removals.length} ${last.returned === null ? 'out' : 'back'}`,
		text: `the cashbox was removed at ${last.time} and not counted; ${last.returned === null ? 'none is back' : `one was back at ${last.returned}`}${others}`,
		why: '',
		remedy: 'Count it, then: kioskctl cash collected --by NAME --counted AMOUNT. When nobody of the staff has taken it, look at once.',
	};
}

function cardMoney(of: HealthParts): PartNow | null {
	const { cards } = of.journal;
	const [unknown, twice] = [cards.unknown(), cards.chargedTwice()];
	if (unknown.length + twice.length === 0) return null;
	return {
		part: 'card money',
		state: 'warn',
		code: `${unknown.length} ${twice.length}`,
		text: `${unknown.length} card sale(s) of unknown end and ${twice.length} charged twice, Rp ${rupiahOf([...unknown, ...twice])}`,
		why: '',
		remedy: 'Compare with the slips: kioskctl edc unknown says how to settle.',
	};
}

export function journal(of: HealthParts): PartNow {
	const part = 'journal';
	const trouble = of.journal.trouble();
	if (!trouble) return { part, state: 'ok', code: 'ok', text: 'open and writable', why: '', remedy: '' };
	if (trouble.code === 'disk_full')
		return {
			part,
			state: 'fail',
			code: trouble.code,
			text: trouble.message,
			why: '',
			remedy: 'Free disk space; cash comes back by itself.',
		};
	return {
		part,
		state: 'fail',
		code: trouble.code,
		text: trouble.message,
		why: 'the money journal cannot be trusted, so no money is taken',
		remedy:
			'Check the disk: is it mounted and healthy? It is tried again every 5 s. If its file is damaged, gone or old: keep a copy of the folder, then kioskctl journal restart --by NAME --why TEXT; docs/cash-day.md, "When the journal is refused", says when.',
	};
}

export function outbox(of: HealthParts): PartNow {
	const part = 'outbox';
	const waiting = of.journal.waitingUploads();
	const failure = of.outbox.lastFailure();
	if (waiting.count === 0) return { part, state: 'ok', code: 'empty', text: 'every credited note is confirmed', why: '', remedy: '' };
	return {
		part,
		state: failure ? 'warn' : 'ok',
		code: failure ? 'waits' : 'sends',
		text: `${waiting.count} note(s), Rp ${waiting.total}, wait for the back office since ${waiting.oldest}${failure ? `: ${failure}` : ''}`,
		why: '',
		remedy: failure ? 'Nothing is lost; they are sent again by themselves.' : '',
	};
}
