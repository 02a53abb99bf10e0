import { accountWords } from '../back-office/account-messages.ts';
import { leftOpenFile } from '../journal/open-items-export.ts';
import { isClosed } from '../journal/trouble.ts';
import { isOtherServer } from '../setup/settings-seal.ts';
import { HELD } from './host-checks.ts';
import { duration } from './page.ts';
import type { HealthDeps, HealthState, PartNow } from './report.ts';

const rupiahOf = (items: readonly { amount: number }[]): number => items.reduce((sum, { amount }) => sum + amount, 0);

/** @returns the parts about money that staff have to settle; none if there is no such money */
export function toSettle(of: HealthDeps): PartNow[] {
	return [...attention(of), cardMoney(of), inDoubt(of), parked(of), partial(of), uncounted(of)].filter((part) => part !== null);
}

function inDoubt(of: HealthDeps): PartNow | null {
	const notes = of.journal.inDoubt();
	if (notes.length === 0) return null;
	const total = rupiahOf(notes.map(({ nominal }) => ({ amount: nominal ?? 0 })));
	return {
		part: 'in doubt',
		state: 'warn',
		code: String(notes.length),
		text: `${notes.length} note(s), Rp ${total}, may or may not be in the cashbox`,
		why: '',
		remedy: 'Compare with the cashbox and settle each note listed below: kioskctl cash report shows the command.',
	};
}

function attention(of: HealthDeps): (PartNow | null)[] {
	const remedy = 'Run kioskctl cash attention; it shows the remedy for each invoice.';
	const part = (
		name: string,
		state: 'paid_twice' | 'dispute',
		text: (invoices: string, why: string, twice: number) => string,
	): PartNow | null => {
		const { count, twice, oldest } = of.journal.money.attentionSum(state);
		if (!oldest) return null;
		const invoices = `${count} invoice(s), the oldest ${oldest.payment.noinvoice || oldest.payment.id}`;
		return { part: name, state: 'warn', code: String(count), text: text(invoices, oldest.why, twice), why: '', remedy };
	};
	return [
		part('paid twice', 'paid_twice', (invoices, _why, twice) => `${invoices}; up to Rp ${twice} may have to go back to customers`),
		part(
			'dispute',
			'dispute',
			(invoices, why) => `${invoices}: ${why}. No money is taken for a disputed invoice, and no receipt says LUNAS`,
		),
	];
}

function parked(of: HealthDeps): PartNow | null {
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
		remedy: 'They are not sent automatically: kioskctl cash parked lists them; resend, book or move each one.',
	};
}

function partial(of: HealthDeps): PartNow | null {
	const { cashbox } = of.journal;
	const paying = of.cash.paying();
	const { count, total } = cashbox.partialSum(paying);
	const [oldest] = cashbox.partials({ except: paying, most: 1 });
	if (!oldest) return null;
	return {
		part: 'partial cash',
		state: 'warn',
		code: String(count),
		text: `${count} invoice(s) are paid in part, Rp ${total}; the oldest is ${oldest.payment.noinvoice}, since ${oldest.since}`,
		why: '',
		remedy:
			'For each invoice listed below: let the customer pay the rest here, or at the cashier (kioskctl cash done INVOICE), or give the money back (kioskctl cash give-back INVOICE).',
	};
}

function uncounted(of: HealthDeps): PartNow | null {
	const removals = of.journal.cashbox.uncounted();
	const last = removals.at(-1);
	if (!last) return null;
	const others = removals.length > 1 ? `; it was removed ${removals.length} times since the last count, first at ${removals[0]?.time}` : '';
	return {
		part: 'cashbox',
		state: 'warn',
		code: `${removals.length} ${last.returned === null ? 'out' : 'back'}`,
		text: `the cashbox was removed at ${last.time} and not counted; ${last.returned === null ? 'no cashbox is back' : `a cashbox was back at ${last.returned}`}${others}`,
		why: '',
		remedy: 'Count it, then: kioskctl cash collected --by NAME --counted AMOUNT. If staff did not take it out, go to the kiosk at once.',
	};
}

function cardMoney(of: HealthDeps): PartNow | null {
	const { cards } = of.journal;
	const [unknown, twice] = [cards.unknown(), cards.chargedTwice()];
	if (unknown.length + twice.length === 0) return null;
	return {
		part: 'card money',
		state: 'warn',
		code: `${unknown.length} ${twice.length}`,
		text: `${unknown.length} card sale(s) with unknown outcome and ${twice.length} charged twice, Rp ${rupiahOf([...unknown, ...twice])}`,
		why: '',
		remedy: 'Compare with the slips, then settle each sale: kioskctl edc unknown shows the command.',
	};
}

export function journal(of: HealthDeps): PartNow {
	const part = 'journal';
	const trouble = of.journal.trouble();
	if (!trouble) return { part, state: 'ok', code: 'ok', text: `open and writable${replacedText(of)}`, why: '', remedy: '' };
	if (trouble.code === 'disk_full')
		return {
			part,
			state: 'fail',
			code: trouble.code,
			text: trouble.message,
			why: '',
			remedy: 'Free disk space; then cash opens again automatically.',
		};
	if (trouble.code === 'journal_newer')
		return {
			part,
			state: 'fail',
			code: trouble.code,
			text: trouble.message,
			why: 'this version does not know all records of the journal, so it takes no money; nothing is lost, and nothing is changed',
			remedy:
				'Update to that version; kioskctl update status shows the installed version. Do not set the journal aside; its payments stay listed.',
		};
	return {
		part,
		state: 'fail',
		code: trouble.code,
		text: trouble.message,
		why: 'the money journal cannot be trusted, so no money is taken',
		remedy:
			'Check that its disk is mounted and healthy; the daemon tries again every 5 s. If the file is damaged, missing or old: keep a copy of the folder, then kioskctl journal restart --by NAME --why TEXT; see docs/technician/panduan-teknisi.md, "Jurnal ditolak".',
	};
}

/**
 * Text about the previous journal: the kiosk does not send its open items, so staff must settle
 * them.
 */
function replacedText({ journal }: HealthDeps): string {
	const begun = journal.begun();
	return begun === null ? '' : `; begun at ${begun.time}; ${leftOpenFile(begun.folder)} lists the open items of the previous journal`;
}

/** A delay longer than this multiple of the limit counts as a failure. */
const FAILS_AFTER_LIMITS = 4;

/** @param ms age of the oldest waiting item @param limit_ms from the settings */
const overdue = (ms: number, limit_ms: number): 'ok' | 'warn' | 'fail' =>
	ms > FAILS_AFTER_LIMITS * limit_ms ? 'fail' : ms > limit_ms ? 'warn' : 'ok';

export function outbox(of: HealthState): PartNow {
	const part = 'outbox';
	const waiting = of.journal.waitingUploads();
	const age = of.ages.notes.of(waiting.oldest);
	const session = of.token.current();
	const others = of.journal.waitingForOthers(session?.account ?? null);
	const failure = of.outbox.lastFailure();
	// The journal is checked after the reads, because a failed read closes it.
	if (isClosed(of.journal.trouble()))
		return { part, state: 'unknown', code: 'unread', text: 'the journal cannot be read, so notes may wait', why: '', remedy: '' };
	if (waiting.count === 0) {
		const text =
			of.journal.parked().length > 0 ? 'no note waits to be sent; parked notes wait for staff' : 'every credited note is confirmed';
		return { part, state: 'ok', code: 'empty', text, why: '', remedy: '' };
	}
	const late = overdue(age, of.waitingLimitMs);
	const isHeld = isOtherServer(of.unconfirmedSettings());
	const state = late === 'ok' && (isHeld || failure || others.count > 0) ? 'warn' : late;
	const elsewhere = session && others.count > 0 ? `; ${others.count} of them, Rp ${others.total}, for another account` : '';
	const text = `${waiting.count} note(s), Rp ${waiting.total}, wait for the back office, the oldest for ${duration(age / 1_000)} (since ${waiting.oldest})${elsewhere}`;
	const code = late === 'ok' ? (failure ? 'waits' : 'sends') : `late ${late}`;
	if (isHeld) return { part, state, code: 'held', text, ...HELD };
	return { part, state, code, text, why: failure ?? '', remedy: state === 'ok' ? '' : outboxRemedy(of, others) };
}

/**
 * @returns the remedy. It promises automatic sending only if the notes are sent without an action
 * of a person
 */
function outboxRemedy(of: HealthState, others: ReturnType<HealthDeps['journal']['waitingForOthers']>): string {
	const session = of.token.current();
	if (!session || session.refused) return 'Log in on the screen with the account that took the notes; then they are sent. Nothing is lost.';
	if (of.outbox.isCallUnknown()) return NO_CALL_REMEDY;
	if (others.count > 0)
		return `Log in on the screen as ${others.accounts.map(accountWords).join(' or ')}; then its notes are sent. If that is not possible, book them by hand or move them: kioskctl cash parked.`;
	if (of.outbox.lastFailure() === null)
		return 'Check whether the back office answers (kioskctl network check) and what it answers (kioskctl logs --part outbox).';
	return 'Nothing is lost; the notes are sent again automatically. If they keep waiting: kioskctl network check.';
}

export const NO_CALL_REMEDY =
	'Correct [back_office.paths] cash_notification, or ask the owner’s server team to provide this path; kioskctl network check shows the answer. Then run kioskctl cash resend all.';

/**
 * @returns the part about approved card sales that are not reported to the back office yet; none if
 * there are none
 */
export function approvals(of: HealthState): PartNow[] {
	const count = of.journal.cards.waitingApprovals();
	const oldest = of.journal.cards.oldestApproval();
	const age = of.ages.approvals.of(oldest);
	if (count === 0) return [];
	const session = of.token.current();
	const others = session ? of.journal.cards.waitingForOthers(session.account) : null;
	const late = overdue(age, of.waitingLimitMs);
	const isHeld = isOtherServer(of.unconfirmedSettings());
	const state = late === 'ok' && (isHeld || (others !== null && others.count > 0)) ? 'warn' : late;
	const remedy =
		'They are sent over the live socket of the account that made them. Log in with that account; check the network: kioskctl network check.';
	const elsewhere = others !== null && others.count > 0 ? `; ${others.count} of them, Rp ${others.total}, for another account` : '';
	const text = `${count} approved card sale(s) wait for the back office, the oldest for ${duration(age / 1_000)} (since ${oldest})${elsewhere}`;
	if (isHeld) return [{ part: 'approvals', state, code: 'held', text, ...HELD }];
	return [{ part: 'approvals', state, code: state, text, why: '', remedy: state === 'ok' ? '' : remedy }];
}
