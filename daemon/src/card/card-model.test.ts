import { type Rupiah, rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TerminalRequest, TerminalResponse } from '../edc/terminal.ts';
import { keyOf } from '../journal/payment.fixture.ts';
import type { StaffWish } from './card-desk.ts';
import { CardFixture, Crash, invoiceOf, responseWith, TOTAL } from './card-machine.fixture.ts';

const ACTIONS = [
	...['start 1', 'start 2', 'ack', 'approve', 'decline', 'approve another amount', 'approve with TO', 'silent', 'lose power'],
	...['not begun', 'say again', 'restart', 'crash before', 'crash after', 'disk full', 'disk broken', 'heal', 'settle', 'void'],
] as const;
type Action = (typeof ACTIONS)[number];

/** The true state of the terminal, independent of the kiosk's view. */
class World {
	readonly fixture = new CardFixture({ unknownCodes: new Set(['TO']) });
	/** Charges that staff have not voided, by attempt. */
	readonly charged = new Map<string, { invoice: string; amount: Rupiah }>();
	/**
	 * The terminal's current request; `deaf`: the kiosk no longer waits for the answer, because it
	 * has crashed or given up.
	 */
	doing: { id: string; request: TerminalRequest; acked: boolean; deaf: boolean } | null = null;
	said: TerminalResponse | null = null;
	#crashed = false;

	constructor() {
		const { fixture } = this;
		fixture.onRequest = (id, request) => {
			// A driver accepts one request at a time.
			expect(this.doing === null || this.doing.deaf).toBe(true);
			if (request.type === 'sale') {
				const sale = fixture.journal.cards.sale(id);
				expect(sale?.state).toBe('sent');
				expect(fixture.journal.cards.unknown()).toEqual([]);
				const invoice = String(sale?.payment?.id);
				expect([...this.charged.values()].filter((charge) => charge.invoice === invoice)).toEqual([]);
			}
			this.doing = { id, request, acked: false, deaf: false };
		};
		fixture.onTell = (text) => {
			if (text.type !== 'kiosk_edc_sale' || text.attempt_id === '') return;
			const state = fixture.journal.cards.sale(text.attempt_id)?.state;
			if (text.phase === 'approved') expect(state).toBe('approved');
			if (text.phase === 'declined') expect(this.charged.has(text.attempt_id)).toBe(false);
		};
	}

	act(action: Action): void {
		try {
			this.#act(action);
		} catch (error) {
			if (!(error instanceof Crash)) throw error;
		}
		if (this.#crashed) this.#restart();
	}

	#act(action: Action): void {
		const { fixture, doing } = this;
		switch (action) {
			case 'start 1':
			case 'start 2':
				fixture.lookedUp = invoiceOf(Number(action.at(-1)));
				return void fixture.start();
			case 'ack':
				if (doing && !doing.deaf) fixture.report({ kind: 'acked', request_id: doing.id });
				if (doing) doing.acked = true;
				return;
			case 'approve':
				return this.#answer({}, TOTAL);
			case 'decline':
				return this.#answer({ code: '51' }, null);
			case 'approve another amount': {
				const amount = rupiah(TOTAL + 1_000);
				return this.#answer({ amount }, amount, null);
			}
			case 'approve with TO':
				return this.#answer({ code: 'TO' }, TOTAL);
			case 'silent':
				if (!doing || doing.deaf) return;
				doing.deaf = true;
				return fixture.report({ kind: 'silent', request_id: doing.id, why: 'silence' });
			case 'lose power':
				this.doing = null;
				if (doing && !doing.deaf) fixture.report({ kind: 'silent', request_id: doing.id, why: 'power' });
				return;
			case 'not begun':
				if (!doing || doing.deaf || doing.acked) return;
				this.doing = null;
				return fixture.report({ kind: 'not_begun', request_id: doing.id, why: 'closed' });
			case 'say again':
				if (this.said) fixture.report({ kind: 'answer', request_id: null, response: this.said });
				return;
			case 'restart':
				return this.#restart();
			case 'crash before':
			case 'crash after':
				fixture.onWrite = (when) => {
					if (!action.endsWith(when)) return;
					this.#crashed = true;
					throw new Crash();
				};
				return;
			case 'disk full':
				fixture.trouble ??= 'disk_full';
				return;
			case 'disk broken':
				fixture.trouble = 'broken';
				return;
			case 'heal':
				// In the daemon the cash desk reopens a broken journal.
				fixture.trouble = null;
				if (fixture.journal.trouble()) fixture.journal.reopen();
				vi.advanceTimersByTime(10_000);
				return;
			case 'settle':
				return this.settle();
			case 'void':
				return this.#void();
			default:
				return action satisfies never;
		}
	}

	/** The terminal completes its request. @param moved rupiah charged by the bank, or null */
	#answer(fields: Partial<TerminalResponse>, moved: Rupiah | null, request_id?: null): void {
		const { doing, fixture } = this;
		if (doing?.request.type !== 'sale') return;
		this.doing = null;
		const sale = fixture.journal.cards.sale(doing.id);
		if (moved !== null) this.charged.set(doing.id, { invoice: String(sale?.payment?.id), amount: moved });
		const response = responseWith(fields);
		this.said = response;
		const sameRun = fixture.requests.some(({ id }) => id === doing.id);
		if (sameRun) fixture.report({ kind: 'begun', request_id: doing.id, clock: null, terminal_id: '' });
		fixture.report({ kind: 'answer', request_id: sameRun && request_id !== null ? doing.id : null, response });
	}

	#restart(): void {
		const { fixture } = this;
		fixture.onWrite = () => {};
		this.#crashed = false;
		if (this.doing) this.doing.deaf = true;
		fixture.requests = [];
		fixture.restart();
	}

	/**
	 * Staff end the terminal's request, read its slips and settle each sale as the slips show. They
	 * void a charge of another amount at the terminal.
	 */
	settle(): void {
		const { fixture, charged } = this;
		for (const sale of fixture.journal.cards.unknown()) {
			if (this.doing?.id === sale.attempt_id) this.doing = null;
			const outcome = charged.get(sale.attempt_id)?.amount === sale.amount ? 'charged' : 'not_charged';
			if (outcome === 'not_charged') charged.delete(sale.attempt_id);
			this.#ask({ action: 'settle', sale, outcome, by: 'Sari', why: 'the slips' });
			if (this.#crashed) return;
		}
	}

	#ask(wish: StaffWish): void {
		this.fixture.desk.carryOut(wish).catch((error) => expect(error).toBeInstanceOf(Crash));
	}

	#void(): void {
		const sale = this.fixture.sale();
		if (sale?.state !== 'approved' || !sale.response) return;
		this.#ask({ action: 'void', sale, by: 'Sari', why: 'wrong bike' });
		const { doing } = this;
		if (this.#crashed || doing?.request.type !== 'void' || doing.deaf) return;
		this.doing = null;
		this.charged.delete(sale.attempt_id);
		this.fixture.report({ kind: 'answer', request_id: doing.id, response: responseWith({ type: 'void', amount: doing.request.amount }) });
	}

	/**
	 * Checks that every charge has an approved or unknown sale in the journal; while the disk is
	 * full, the sale may be in the state `sent`. Checks that every approved sale has a charge of its
	 * amount.
	 */
	check(): void {
		if (this.fixture.trouble === 'broken') return;
		const { cards } = this.fixture.journal;
		for (const attempt_id of this.charged.keys()) {
			const state = cards.sale(attempt_id)?.state;
			if (this.fixture.trouble === null) expect(['approved', 'unknown']).toContain(state);
			else expect(['approved', 'unknown', 'sent']).toContain(state);
		}
		for (const id of [1, 2])
			for (const sale of cards.ofPayment(keyOf(id)))
				if (sale.state === 'approved') expect(this.charged.get(sale.attempt_id)?.amount).toBe(sale.amount);
	}
}

let worlds: World[];
beforeEach(() => {
	vi.useFakeTimers();
	worlds = [];
});
afterEach(() => {
	for (const world of worlds) world.fixture.close();
	vi.useRealTimers();
});

const TITLE = 'an invoice is charged at most once, and every charge is paid in the journal or listed for staff';
const staysSound = (numRuns: number) => () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...ACTIONS), { maxLength: 40 }), (script) => {
			const world = new World();
			worlds.push(world);
			for (const action of script) {
				world.act(action);
				world.check();
			}
			for (const action of ['lose power', 'heal', 'restart', 'settle'] as const) world.act(action);
			world.check();
			const { cards } = world.fixture.journal;
			expect(cards.unknown()).toEqual([]);
			const approved = [1, 2].flatMap((id) => cards.ofPayment(keyOf(id)).filter(({ state }) => state === 'approved'));
			expect(approved.map(({ attempt_id }) => attempt_id).sort()).toEqual([...world.charged.keys()].sort());
			expect(cards.waitingApprovals()).toBe(approved.length);
			world.fixture.close();
			worlds.pop();
		}),
		{ numRuns },
	);
};
test(`after 50 random sequences of events, ${TITLE}`, staysSound(50));
test(`after 150 random sequences of events, ${TITLE}`, { tags: 'deep' }, staysSound(150));
