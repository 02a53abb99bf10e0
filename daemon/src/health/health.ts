import { readFileSync } from 'node:fs';
import type { CashDesk } from '../acceptor/cash-desk.ts';
import type { LiveLink } from '../back-office/live-link.ts';
import type { Outbox } from '../back-office/outbox.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { CardDesk } from '../edc/card-desk.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { Journal, JournalNote } from '../journal/journal.ts';
import type { PrintDesk } from '../printer/print-desk.ts';
import type { ScreenHub } from '../screen/hub.ts';
import type { ScreenLiveness } from '../screen/liveness.ts';
import { ACCEPTOR_WORDS } from './acceptor-words.ts';
import { EDC_WORDS } from './edc-words.ts';

export const VERSION = String(
	(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version,
);

/** `off`: not configured or not in use. `warn`: works, but somebody should look. `fail`: what it serves is not available. */
export type PartState = 'ok' | 'off' | 'warn' | 'fail';

export interface PartHealth {
	part: string;
	state: PartState;
	text: string;
	/** What to do; empty when nothing. */
	remedy: string;
}

export interface HealthReport {
	state: PartState;
	version: string;
	uptime_s: number;
	parts: PartHealth[];
	in_doubt: Pick<JournalNote, 'note_id' | 'noinvoice' | 'nominal' | 'time' | 'why'>[];
	/** Invoices that a customer left with money in and not covered, oldest first. */
	partial: { noinvoice: string; received: number; total: number; since: string }[];
	outbox: { count: number; total: number; oldest: string | null; last_failure: string | null };
	/** Card sales for a person: of unknown end, and charges of invoices that were paid already. */
	card: { unknown: ListedSale[]; twice: ListedSale[]; approvals_waiting: number };
}

type ListedSale = Pick<CardSale, 'attempt_id' | 'amount' | 'time' | 'why'> & { noinvoice: string };

export interface HealthParts {
	journal: Journal;
	cash: CashDesk;
	card: CardDesk;
	outbox: Outbox;
	link: LiveLink;
	token: OutletToken;
	printer: PrintDesk | null;
	hub: ScreenHub;
	liveness: ScreenLiveness;
	backOfficeUrl: string;
	printerUri: string | null;
}

/** Asks every part how it is, now. Nothing in the answer is secret or about a customer's person. */
export function healthReport(of: HealthParts): HealthReport {
	const parts = [cash(of), card(of), journal(of), backOffice(of), outbox(of), printer(of), screen(of)];
	const inDoubt = of.journal.inDoubt();
	if (inDoubt.length > 0) {
		const total = inDoubt.reduce((sum, note) => sum + (note.nominal ?? 0), 0);
		const text = `${inDoubt.length} note(s), Rp ${total}, may or may not be in the cashbox`;
		parts.unshift({
			part: 'in doubt',
			state: 'warn',
			text,
			remedy: 'Compare with the cashbox and settle each one: kioskctl cash report says how. They are listed below.',
		});
	}
	const partial = of.journal.cashbox.partials().filter(({ payment }) => !of.cash.isPaying(payment.id));
	if (partial.length > 0) {
		const total = partial.reduce((sum, one) => sum + one.received, 0);
		parts.unshift({
			part: 'partial cash',
			state: 'warn',
			text: `${partial.length} invoice(s) are paid in part, Rp ${total}; the oldest is ${partial[0]?.payment.noinvoice}, since ${partial[0]?.since}`,
			remedy: 'The rest is paid here or at the cashier; then kioskctl cash done INVOICE. They are listed below.',
		});
	}
	const { cards } = of.journal;
	const unknown = cards.unknown().map(listed);
	const twice = cards.chargedTwice().map(listed);
	if (unknown.length + twice.length > 0) {
		const total = [...unknown, ...twice].reduce((sum, sale) => sum + sale.amount, 0);
		const text = `${unknown.length} card sale(s) of unknown end and ${twice.length} charged twice, Rp ${total}`;
		parts.unshift({ part: 'card money', state: 'warn', text, remedy: 'Compare with the slips: kioskctl edc unknown says how to settle.' });
	}
	const worst = (['fail', 'warn'] as const).find((state) => parts.some((part) => part.state === state)) ?? 'ok';
	return {
		state: worst,
		version: VERSION,
		uptime_s: Math.round(process.uptime()),
		parts,
		in_doubt: inDoubt.map(({ note_id, noinvoice, nominal, time, why }) => ({ note_id, noinvoice, nominal, time, why })),
		partial: partial.map(({ payment, received, since }) => ({ noinvoice: payment.noinvoice, received, total: payment.total, since })),
		outbox: { ...of.journal.waitingUploads(), last_failure: of.outbox.lastFailure() },
		card: { unknown, twice, approvals_waiting: cards.waitingApprovals() },
	};
}

const listed = ({ attempt_id, amount, payment, time, why }: CardSale): ListedSale => ({
	attempt_id,
	amount,
	noinvoice: payment?.noinvoice ?? '',
	time,
	why,
});

function cash(of: HealthParts): PartHealth {
	const shown = of.cash.shown();
	const [state, text, remedy] = ACCEPTOR_WORDS[shown];
	return { part: 'cash', state, text, remedy };
}

function card(of: HealthParts): PartHealth {
	const [state, text, remedy] = EDC_WORDS[of.card.shown()];
	const waiting = of.journal.cards.waitingApprovals();
	if (waiting === 0) return { part: 'card', state, text, remedy };
	return { part: 'card', state: state === 'ok' ? 'warn' : state, text: `${text}; ${waiting} approval(s) wait for the back office`, remedy };
}

function journal(of: HealthParts): PartHealth {
	const trouble = of.journal.trouble();
	if (!trouble) return { part: 'journal', state: 'ok', text: 'open and writable', remedy: '' };
	const remedy =
		trouble.code === 'disk_full'
			? 'Free disk space; cash comes back by itself.'
			: 'Check the disk; the daemon keeps trying to open the journal.';
	return { part: 'journal', state: 'fail', text: trouble.message, remedy };
}

function backOffice(of: HealthParts): PartHealth {
	const part = 'back office';
	const session = of.token.current();
	if (!session) return { part, state: 'fail', text: 'no outlet account is logged in', remedy: 'Log in on the screen.' };
	if (session.refused) return { part, state: 'fail', text: 'the outlet token is refused (401)', remedy: 'Log in again on the screen.' };
	if (of.link.connected()) return { part, state: 'ok', text: `live socket open, ${of.backOfficeUrl}`, remedy: '' };
	return {
		part,
		state: 'warn',
		text: `live socket closed, ${of.backOfficeUrl}`,
		remedy: 'Check network, DNS, clock and the address in [back_office]. Cash still works; notes are sent later.',
	};
}

function outbox(of: HealthParts): PartHealth {
	const waiting = of.journal.waitingUploads();
	const failure = of.outbox.lastFailure();
	if (waiting.count === 0) return { part: 'outbox', state: 'ok', text: 'every credited note is confirmed', remedy: '' };
	const text = `${waiting.count} note(s), Rp ${waiting.total}, wait for the back office since ${waiting.oldest}${failure ? `: ${failure}` : ''}`;
	return {
		part: 'outbox',
		state: failure ? 'warn' : 'ok',
		text,
		remedy: failure ? 'Nothing is lost; they are sent again by themselves.' : '',
	};
}

function printer(of: HealthParts): PartHealth {
	if (!of.printer) return { part: 'printer', state: 'off', text: 'not configured; the browser prints', remedy: '' };
	const trouble = of.printer.trouble();
	if (!trouble) return { part: 'printer', state: 'ok', text: String(of.printerUri), remedy: '' };
	return {
		part: 'printer',
		state: 'warn',
		text: `${of.printerUri}: ${trouble}`,
		remedy: 'Check paper, cover, cable and the queue in CUPS.',
	};
}

function screen(of: HealthParts): PartHealth {
	const part = 'screen';
	const drawn = of.liveness.last();
	if (of.hub.screens() === 0) {
		return {
			part,
			state: 'warn',
			text: 'no screen is connected',
			remedy: 'Before the first login this is normal; else check the browser.',
		};
	}
	if (!drawn) return { part, state: 'ok', text: 'connected', remedy: '' };
	const text = `shows ${drawn.screen}, drawn ${Math.round(drawn.ago_ms / 1000)} s ago`;
	if (!drawn.dead) return { part, state: 'ok', text, remedy: '' };
	return { part, state: 'fail', text, remedy: 'The picture is frozen although the page is connected: restart the browser.' };
}
