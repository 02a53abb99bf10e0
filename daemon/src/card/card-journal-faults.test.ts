/** A journal that fails during a sale, and a process that dies at a write. */
import { randomUUID } from 'node:crypto';
import type { LiveText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { paymentOf } from '../journal/payment.fixture.ts';
import { Crash } from './card-machine.fixture.ts';
import { cardFixtureOfEachTest, fixture, heal, sale, settle, staff } from './card-steps.fixture.ts';

cardFixtureOfEachTest();

describe('a journal that fails', () => {
	test.each(['disk_full', 'broken'] as const)(
		'if the journal fails (%s) before the outcome, the sale is unknown and not acknowledged until the journal recovers',
		async (trouble) => {
			fixture.start().ack();
			fixture.trouble = trouble;
			fixture.answer();
			expect(fixture.phases().at(-1)).toBe('unknown');
			expect([fixture.acknowledged, fixture.responses()]).toEqual([[], []]);
			await heal();
			expect(fixture.sale()?.state).toBe('approved');
			expect(fixture.acknowledged).toEqual(['approved']);
			expect([fixture.phases().at(-1), fixture.state(), fixture.relayed > 0]).toEqual(['approved', 'ready', true]);
		},
	);

	test('if the journal fails when the daemon starts, no card is accepted before the open sale is recorded as unknown', async () => {
		fixture.start().ack();
		fixture.trouble = 'disk_full';
		fixture.restart();
		expect(fixture.state()).toBe('disk_full');
		fixture.start();
		expect(fixture.phases()).toEqual(['unknown']);
		await heal();
		expect([fixture.sale()?.state, fixture.state()]).toEqual(['unknown', 'unresolved']);
	});

	test('if the journal fails before silence is recorded, the sale is unknown after recovery', async () => {
		fixture.start().ack();
		fixture.trouble = 'disk_full';
		fixture.silent();
		await heal();
		expect(fixture.sale()?.state).toBe('unknown');
		expect(fixture.state()).toBe('unresolved');
	});
});

describe('while the journal is closed', () => {
	const closeJournal = (): void => {
		fixture.trouble = 'broken';
		fixture.journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'test' });
	};

	test.each(['not_charged', 'charged'] as const)(
		'if a staff decision (%s) is on disk despite a write error, a late approval is compared with this decision',
		async (outcome) => {
			fixture.start().silent();
			fixture.trouble = 'broken_but_kept';
			expect(await settle(outcome)).toMatchObject({ code: 'journal' });
			fixture.trouble = 'broken';
			fixture.answer();
			await heal();
			const isContradicted = outcome === 'not_charged';
			expect([fixture.sale()?.state, fixture.state()]).toEqual(isContradicted ? ['unknown', 'unresolved'] : ['approved', 'ready']);
			expect(fixture.acknowledged).toHaveLength(1);
		},
	);

	test.each([
		['charged', '00', 'unknown'],
		['charged', '12', 'approved'],
		['not_charged', '00', 'not_charged'],
		['not_charged', '12', 'unknown'],
	] as const)(
		'if the decision %s is on disk despite a write error, a late answer %s to a void leaves the sale %s',
		async (outcome, code, state) => {
			fixture.start().answer();
			void staff('void');
			const { id } = fixture.requests.at(-1) ?? { id: '' };
			fixture.report({ kind: 'silent', request_id: id, why: 'no answer' });
			expect(fixture.sale()?.state).toBe('unknown');
			fixture.trouble = 'broken_but_kept';
			await settle(outcome);
			fixture.trouble = 'broken';
			fixture.answer({ type: 'void', code }, id);
			await heal();
			expect(fixture.sale()?.state).toBe(state);
			expect(fixture.acknowledged).toHaveLength(2);
		},
	);

	test.each([
		['written', null],
		['on disk although its write failed', 'broken_but_kept'],
	] as const)('a sale that was not begun (its record is %s) is unknown after a late ACK', async (_, atDecline) => {
		fixture.start();
		const { id } = fixture;
		fixture.trouble = atDecline;
		fixture.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		closeJournal();
		fixture.report({ kind: 'acked', request_id: id });
		await heal();
		expect([fixture.sale()?.state, fixture.state()]).toEqual(['unknown', 'unresolved']);
	});

	test.each(['with', 'without'] as const)(
		'a late approval %s a request holds the invoice of the declined sale, and no other invoice',
		async (request) => {
			fixture.start().ack().answer({ code: '54' });
			const held = () => [7, 8].map((id) => fixture.desk.isHolding(paymentOf(id)));
			expect(held()).toEqual([false, false]);
			closeJournal();
			fixture.answer({}, request === 'with' ? fixture.id : null);
			expect([fixture.journal.trouble()?.code, held()]).toEqual(['journal_unhealthy', [true, false]]);
			await heal();
			expect(held()).toEqual([true, false]);
		},
	);

	describe('since an approval, the screen gets', () => {
		/**
		 * Approves a sale of 137,500, whose look-up closes the journal.
		 * @param before what happens before the look-up is answered
		 */
		async function approve(before: () => unknown = () => {}): Promise<LiveText[]> {
			let answer = () => {};
			fixture.invoices.refresh = () => new Promise((resolve) => (answer = () => resolve('unreadable')));
			fixture.isFresh = false;
			fixture.restart();
			fixture.start().ack().answer();
			before();
			closeJournal();
			answer();
			await vi.advanceTimersByTimeAsync(0);
			return fixture.told.filter(({ type }) => type !== 'kiosk_edc');
		}

		test('the amounts from before', async () => {
			expect((await approve()).slice(-2)).toMatchObject([
				{ type: 'payment_edc_bca_notification', paid: true, due: 0 },
				{ phase: 'approved', paid: true, due: 0 },
			]);
		});

		test('the whole amount as paid even if the journal closes before the first message', async () => {
			fixture.onRelay = closeJournal;
			expect((await approve()).slice(-1)).toMatchObject([{ phase: 'approved', paid: true, due: 0 }]);
		});

		test('the rest as due if the invoice has grown', async () => {
			const told = await approve(() => fixture.invoices.lookedUp({ ...paymentOf(7), total: rupiah(200_000) }));
			expect(told.slice(-2)).toMatchObject([
				{ paid: false, due: 62_500 },
				{ phase: 'approved', paid: false, due: 62_500 },
			]);
		});

		test('no "paid" if the sale was voided', async () => {
			const told = await approve(() => {
				void staff('void');
				fixture.answer({ type: 'void', invoice: sale().response?.invoice ?? '' });
			});
			expect(told.filter((text) => 'paid' in text && text.paid)).toEqual([]);
		});
	});

	test('if the decision "not charged" is on disk despite a write error, a late approval of another run reopens the sale', async () => {
		fixture.start().ack();
		fixture.restart();
		fixture.trouble = 'broken_but_kept';
		await settle('not_charged', fixture.journal.cards.unknown()[0]);
		fixture.answer({}, null);
		await heal();
		expect([fixture.sale()?.state, fixture.desk.isHolding(paymentOf(7))]).toEqual(['unknown', true]);
	});

	test.each(['well', 'disk_full'] as const)(
		'a charge of another amount that is reported while the journal is closed is recorded once with the open sale after recovery (then: %s); this record does not acknowledge the sale’s own answer',
		async (then) => {
			fixture.start().ack();
			const { id } = fixture;
			closeJournal();
			fixture.answer({ amount: rupiah(99_000), rrn: 'X', invoice: '000901' }, null);
			fixture.trouble = null;
			fixture.journal.reopen();
			fixture.trouble = then === 'well' ? null : then;
			await vi.advanceTimersByTimeAsync(5_100);
			fixture.trouble = null;
			await vi.advanceTimersByTimeAsync(5_100);
			expect([sale().state, sale().response?.rrn, fixture.desk.unwritten()]).toEqual(['unknown', 'X', []]);
			const before = fixture.acknowledged.length;
			fixture.trouble = 'disk_full';
			fixture.answer({ rrn: 'R', invoice: '000902' }, id);
			expect(fixture.acknowledged.length).toBe(before);
		},
	);

	test('if the unknown sales cannot be read after a write, cards are closed until they are read again', async () => {
		fixture.start().ack();
		const { cards } = fixture.journal;
		const { unknown } = cards;
		cards.unknown = () => {
			closeJournal();
			return [];
		};
		fixture.silent();
		expect(fixture.state()).toBe('journal_unhealthy');
		cards.unknown = unknown;
		fixture.trouble = null;
		fixture.journal.reopen();
		await vi.advanceTimersByTimeAsync(10_000);
		expect(fixture.state()).toBe('unresolved');
	});

	test('an answer that the terminal repeats is recorded once', async () => {
		fixture.start().ack();
		fixture.trouble = 'broken';
		const charge = { rrn: '000000000042', approval: '000042', invoice: '000042' };
		fixture.answer(charge);
		for (let times = 0; times < 10; times += 1) fixture.answer(charge, null);
		await heal();
		expect([fixture.sale()?.state, fixture.state()]).toEqual(['approved', 'ready']);
		expect(fixture.desk.unwritten()).toEqual([]);
	});
});

describe('the process dies at a write', () => {
	const story = (): void => void fixture.start().ack().answer();

	for (const when of ['before', 'after'] as const)
		for (const n of [1, 2])
			test(`if the process dies ${when} write ${n}, the card is not charged twice, and every possible charge is paid or listed for staff`, () => {
				let writes = 0;
				fixture.onWrite = (at, record) => {
					if (record.kind.startsWith('card_') && at === when && ++writes === n) throw new Crash();
				};
				expect(story).toThrow(Crash);
				fixture.onWrite = () => {};
				fixture.restart();
				const asked = fixture.requests.length;
				const approved = fixture.sale()?.state === 'approved';
				expect(approved).toBe(when === 'after' && n === 2);
				if (asked > 0 && !approved) expect(fixture.journal.cards.unknown()).toHaveLength(1);
				fixture.start();
				expect(fixture.requests).toHaveLength(asked > 0 || when === 'after' ? asked : 1);
				if (approved) expect(fixture.paid()).toEqual([7]);
			});
});
