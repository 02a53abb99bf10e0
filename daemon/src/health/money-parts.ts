import { accountWords } from './account-words.ts';
import type { HealthParts, HealthState } from './health.ts';
import { duration } from './page.ts';
import type { PartNow } from './report.ts';

const rupiahOf = (items: readonly { amount: number }[]): number => items.reduce((sum, { amount }) => sum + amount, 0);

/** What a person has to settle; nothing where there is nothing. */
export function toSettle(of: HealthParts): PartNow[] {
	return [...attention(of), cardMoney(of), inDoubt(of), parked(of), partial(of), uncounted(of)].filter((part) => part !== null);
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

function attention(of: HealthParts): (PartNow | null)[] {
	const listed = of.journal.money.attention();
	const remedy = 'kioskctl cash attention says what to do for each.';
	const part = (
		name: string,
		state: (typeof listed)[number]['state'],
		text: (invoices: string, first: string) => string,
	): PartNow | null => {
		const found = listed.filter((one) => one.state === state);
		const [first] = found;
		if (!first) return null;
		const invoices = `${found.length} invoice(s), the oldest ${first.payment.noinvoice || first.payment.id}`;
		return { part: name, state: 'warn', code: String(found.length), text: text(invoices, first.why), why: '', remedy };
	};
	const twice = rupiahOf(listed.map((one) => ({ amount: one.twice })));
	return [
		part('paid twice', 'paid_twice', (invoices) => `${invoices}; up to Rp ${twice} may belong back to customers`),
		part('dispute', 'dispute', (invoices, why) => `${invoices}: ${why}. No money is taken for it and no receipt says LUNAS`),
	];
}

function parked(of: HealthParts): PartNow | null {
	const notes = of.journal.parked();
	const [first] = notes;
	if (!first) return null;
	const total = rupiahOf(notes.map(({ nominal }) => ({ amount: nominal })));
	return {
		part: 'parked notes',
		state: 'warn',
		code: String(notes.length),
		text: `${notes.length} note(s), Rp ${total}, are in the box and not in the back office; the oldest since ${first.time}: ${first.parked}`,
		why: '',
		remedy: 'They are not sent by themselves: kioskctl cash parked lists them and says how to resend, book or move each.',
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
		remedy:
			'The rest is paid here, or at the cashier (kioskctl cash done INVOICE), or the money goes back (kioskctl cash give-back INVOICE). They are listed below.',
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
		remedy: 'Count it, then: kioskctl cash collected --by NAME --counted AMOUNT. If staff did not take it out, go to the kiosk at once.',
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
			'Check the disk: is it mounted and healthy? It is tried again every 5 s. If its file is damaged, gone or old: keep a copy of the folder, then kioskctl journal restart --by NAME --why TEXT; docs/technician/panduan.md, "Jurnal ditolak", says when.',
	};
}

/** So many times the limit, and what waits is no delay any more. */
const FAILS_AFTER_LIMITS = 4;

/** @param ms how long the oldest has waited @param limit_ms as the settings have it */
const overdue = (ms: number, limit_ms: number): 'ok' | 'warn' | 'fail' =>
	ms > FAILS_AFTER_LIMITS * limit_ms ? 'fail' : ms > limit_ms ? 'warn' : 'ok';

export function outbox(of: HealthState): PartNow {
	const part = 'outbox';
	const waiting = of.journal.waitingUploads();
	const age = of.ages.notes.of(waiting.oldest);
	const session = of.token.current();
	const others = of.journal.waitingForOthers(session?.account ?? null);
	const failure = of.outbox.lastFailure();
	if (waiting.count === 0) {
		const text =
			of.journal.parked().length > 0 ? 'nothing waits to be sent; parked notes wait for staff' : 'every credited note is confirmed';
		return { part, state: 'ok', code: 'empty', text, why: '', remedy: '' };
	}
	const late = overdue(age, of.waitingLimitMs);
	const state = late === 'ok' && (failure || others.count > 0) ? 'warn' : late;
	const elsewhere = session && others.count > 0 ? `; ${others.count} of them, Rp ${others.total}, for another account` : '';
	return {
		part,
		state,
		code: late === 'ok' ? (failure ? 'waits' : 'sends') : `late ${late}`,
		text: `${waiting.count} note(s), Rp ${waiting.total}, wait for the back office, the oldest for ${duration(age / 1_000)} (since ${waiting.oldest})${elsewhere}`,
		why: failure ?? '',
		remedy: state === 'ok' ? '' : outboxRemedy(of, others),
	};
}

/** That notes are sent by themselves is said only where they are. */
function outboxRemedy(of: HealthState, others: ReturnType<HealthParts['journal']['waitingForOthers']>): string {
	const session = of.token.current();
	if (!session || session.refused) return 'Log in on the screen with the account that took them; then they are sent. Nothing is lost.';
	if (of.outbox.callIsUnknown()) return NO_CALL_REMEDY;
	if (others.count > 0)
		return `Log in on the screen as ${others.accounts.map(accountWords).join(' or ')}; then theirs are sent. If that is not possible: kioskctl cash parked lists them, to be booked by hand or moved.`;
	if (of.outbox.lastFailure() === null)
		return 'kioskctl network check says whether the back office answers; kioskctl logs --part outbox what it says.';
	return 'Nothing is lost; they are sent again by themselves. If it stays so: kioskctl network check.';
}

export const NO_CALL_REMEDY =
	'Ask the owner’s server team for this path, or correct [back_office.paths] cash_notification; kioskctl network check shows the answer. Then kioskctl cash resend all.';

/** Approved card sales that the back office has not been told of; nothing where there are none. */
export function approvals(of: HealthState): PartNow[] {
	const count = of.journal.cards.waitingApprovals();
	const oldest = of.journal.cards.oldestApproval();
	const age = of.ages.approvals.of(oldest);
	if (count === 0) return [];
	const state = overdue(age, of.waitingLimitMs);
	const remedy = 'They are told over the live socket of the account that made them: is it logged in? kioskctl network check.';
	const text = `${count} approved card sale(s) wait to be told, the oldest for ${duration(age / 1_000)} (since ${oldest})`;
	return [{ part: 'approvals', state, code: state, text, why: '', remedy: state === 'ok' ? '' : remedy }];
}
