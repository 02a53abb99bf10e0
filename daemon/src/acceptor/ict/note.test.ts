/**
 * Time limits of a note: the length of each wait, the event that ends it, and the report that
 * follows.
 */
import { describe, expect, test } from 'vitest';
import type { AcceptorCommand } from '../driver.ts';
import { accepted, calm, IctFixture, inEscrow, kinds, later, moneyReports, stacked, states } from './ict-machine.fixture.ts';
import { LIMITS } from './ict-state.ts';

describe('an accepted note', () => {
	test('the missing outcome of an accepted note is reported with the reason when the time limit has passed', () => {
		expect(kinds(calm(accepted(), LIMITS.outcomeMs))).toEqual([]);
		expect(moneyReports(calm(accepted(), LIMITS.outcomeMs + 100))).toEqual([
			{ kind: 'outcome_missing', why: 'the acceptor did not say within 15000 ms what became of the note', other: false },
		]);
	});

	test.each<[string, (unit: IctFixture) => IctFixture, string, boolean]>([
		['the unit restarts', (unit) => unit.hear(0x80, 0x8f), 'the acceptor restarted while it stacked the note', false],
		['another note comes', (unit) => later(unit, 3_000).hear(0x81, 0x44), 'another note came before the outcome of this one', true],
		['another type comes at once', (unit) => unit.hear(0x81, 0x45), 'another note came before the outcome of this one', true],
		[
			'the line is lost and a note is RETURNED',
			(unit) => unit.do({ kind: 'lost', now: unit.now }).open().hear(0x11),
			'a note came back, but perhaps not this one',
			true,
		],
		[
			'STACKED arrives within noise',
			(unit) => unit.hear(...Array<number>(32).fill(0xff), 0x10),
			'the outcome arrived in the middle of line noise',
			false,
		],
		[
			'RETURNED arrives within noise',
			(unit) => unit.hear(...Array<number>(32).fill(0xff), 0x11),
			'the outcome arrived in the middle of line noise',
			false,
		],
	])('an accepted note is in doubt when %s', (_what, happens, why, other) => {
		expect(moneyReports(happens(accepted()))[0]).toEqual({ kind: 'outcome_missing', why, other });
	});

	test('an accepted note counts as stacked if STACKED arrives among 31 unexpected bytes', () => {
		expect(moneyReports(accepted().hear(...Array<number>(31).fill(0xff), 0x10))).toEqual([stacked(false)]);
	});

	test.each([0x10, 0x11])('a note that is in doubt because of noise is settled by its outcome on a quiet line (%i)', (outcome) => {
		const unit = calm(accepted().hear(...Array<number>(32).fill(0xff), 0x11), 3_000).forget();
		expect(moneyReports(unit.hear(outcome))).toEqual([outcome === 0x10 ? stacked(true) : { kind: 'returned', accepted: true }]);
	});

	test('an overdue note is not reported missing again in noise, after a restart of the unit or after a minute', () => {
		const overdue = () => calm(accepted(), LIMITS.outcomeMs + 100).forget();
		expect(moneyReports(overdue().hear(...Array<number>(32).fill(0xff), 0x10))).toEqual([]);
		expect(moneyReports(overdue().hear(0x80, 0x8f))).toEqual([]);
		expect(moneyReports(calm(overdue(), 60_000))).toEqual([]);
	});

	test('an overdue note counts as returned if RETURNED comes and the line has stayed open', () => {
		expect(
			moneyReports(
				calm(accepted(), LIMITS.outcomeMs + 100)
					.forget()
					.hear(0x11),
			),
		).toEqual([{ kind: 'returned', accepted: true }]);
	});

	test('RETURNED is attributed to the accepted note, but after a repeated escrow only within 6 s of ACCEPT', () => {
		expect(moneyReports(calm(accepted(), 7_000).hear(0x11))).toEqual([{ kind: 'returned', accepted: true }]);
		const named = later(accepted(), 1_000).hear(0x81, 0x44);
		expect(moneyReports(calm(named, 4_900).hear(0x11))).toEqual([{ kind: 'returned', accepted: true }]);
		const long = later(accepted(), 1_000).hear(0x81, 0x44);
		expect(kinds(calm(long, 5_200).hear(0x11))).toEqual(['outcome_missing']);
	});

	test('after ACCEPT, an escrow within 2.5 s is a repeat for the accepted note, and a later escrow is another note', () => {
		expect(kinds(calm(accepted(), LIMITS.repeatMs).hear(0x81, 0x44))).toEqual([]);
		expect(kinds(calm(accepted(), LIMITS.repeatMs + 100).hear(0x81, 0x44))).toEqual(['outcome_missing', 'refused']);
	});

	test('while a unit stacks a note, the unit does not count as silent and the line is not reopened', () => {
		const unit = accepted().wait(LIMITS.outcomeMs - 1_000);
		expect(states(unit)).toEqual([]);
		expect(unit.effects.some(({ kind }) => kind === 'reopen')).toBe(false);
	});

	test('a broken escrow does not change an accepted note', () => {
		const unit = accepted().hear(0x81, 0x00);
		expect([unit.written().includes('reject'), kinds(unit)]).toEqual([false, []]);
	});
});

describe('a note in escrow', () => {
	test('a note in escrow is accepted within 4 s and rejected later', () => {
		const decided = (ms: number) => calm(inEscrow(), ms).forget().ask('accept').written();
		expect(decided(LIMITS.acceptMs)[0]).toBe('accept');
		expect(decided(LIMITS.acceptMs + 100)[0]).toBe('reject');
	});

	test('an escrow without a decision ends after 6 s, so the next escrow is a new note', () => {
		const decided = (ms: number) => calm(inEscrow(), ms).forget().ask('accept').written();
		expect([decided(LIMITS.escrowOverMs)[0], decided(LIMITS.escrowOverMs + 100)]).toEqual(['reject', []]);
		expect(
			moneyReports(
				calm(inEscrow(), LIMITS.escrowOverMs + 100)
					.forget()
					.hear(0x81, 0x44),
			),
		).toEqual([{ kind: 'escrow', code: '0x44' }]);
	});

	test('if the line is lost during an escrow, a later ACCEPT is not sent', () => {
		const unit = inEscrow();
		unit.do({ kind: 'lost', now: unit.now });
		expect(states(unit)).toEqual(['disconnected']);
		unit.open().forget().ask('accept');
		expect(unit.written()).not.toContain('accept');
	});

	test.each<[string, number[], string[]]>([
		['is refused when NOTE_REJECTED follows', [0x29], ['refused']],
		['is gone when it is pulled out of the slot', [0x23], []],
		['is refused when another bare type follows', [0x45], ['refused']],
		['stays in escrow when its own bare type follows', [0x44], ['escrow']],
		['is refused when a broken escrow follows', [0x81, 0x00], ['refused']],
	])('a note in escrow %s', (_what, bytes, expected) => {
		const unit = new IctFixture().ready().hear(0x81, 0x44, ...bytes);
		expect(kinds(unit)).toEqual(expected);
		unit.forget().ask('accept');
		expect(unit.written().includes('accept')).toBe(expected[0] === 'escrow');
	});

	test('a note in escrow that is reported in two reads is offered twice and accepted once', () => {
		const unit = inEscrow().hear(0x81, 0x44).ask('accept').ask('accept');
		expect(unit.written().filter((command) => command === 'accept')).toHaveLength(1);
	});

	test('INHIBIT is delayed until the note has left escrow', () => {
		const unit = inEscrow().ask('inhibit');
		expect(unit.written()).not.toContain('inhibit');
		unit.ask('reject').hear(0x11);
		expect(unit.written()).toContain('inhibit');
	});

	test.each(['reject', 'hold', 'accept'] as const)('%s without a note in escrow is not sent', (command: AcceptorCommand) => {
		expect(new IctFixture().ready().ask(command).written()).toEqual([]);
	});
});

describe('a rejected note', () => {
	const rejected = () => inEscrow().ask('reject').forget();

	test('after a rejection, an escrow within 2.5 s is a repeat and is rejected again, and a later escrow is a new note', () => {
		const again = calm(rejected(), LIMITS.repeatMs).forget().hear(0x81, 0x44);
		expect([again.written(), kinds(again)]).toEqual([['reject'], []]);
		expect(moneyReports(calm(rejected(), LIMITS.repeatMs + 100).hear(0x81, 0x44))).toEqual([{ kind: 'escrow', code: '0x44' }]);
	});

	test('a rejected note is reported as returned only if RETURNED comes within 6 s after the rejection', () => {
		expect(kinds(rejected().hear(0x29))).toEqual([]);
		expect(moneyReports(rejected().hear(0x11))).toEqual([{ kind: 'returned', accepted: false }]);
		expect(kinds(new IctFixture().ready().hear(0x11))).toEqual([]);
		expect(kinds(calm(rejected(), LIMITS.escrowOverMs + 100).hear(0x11))).toEqual([]);
	});

	test('if a note is rejected because the decision came late, and STACKED follows, the note is reported as not accepted', () => {
		const unit = calm(inEscrow(), LIMITS.acceptMs + 100)
			.ask('accept')
			.forget();
		expect(moneyReports(unit.hear(0x10))).toEqual([stacked(false, '0x44', false)]);
	});
});

describe('STACKED without an accepted note', () => {
	const after = () => accepted().hear(0x10).forget();

	test('a second STACKED within 2.5 s is a repeat, but not after a new escrow', () => {
		expect(kinds(calm(after(), LIMITS.repeatMs).hear(0x10))).toEqual([]);
		expect(kinds(calm(after(), LIMITS.repeatMs + 100).hear(0x10))).toEqual(['stacked']);
		const next = after();
		next.now += 100;
		expect(kinds(next.hear(0x81, 0x44).ask('reject').forget().hear(0x10))).toEqual(['stacked']);
	});
});

describe('a byte that does not concern the note in flight', () => {
	test.each<[string, number]>([
		['NOTE_REJECTED (29)', 0x29],
		['another bare type', 0x45],
		['a note that was pulled out of the slot', 0x23],
		['a jam', 0x22],
		['busy', 0x71],
		['a command that the unit does not know', 0x2a],
	])('%s causes no report and no REJECT while a note is stacked, and STACKED is still attributed to this note', (_what, byte) => {
		const unit = accepted().hear(byte);
		expect([kinds(unit), unit.written().includes('reject')]).toEqual([[], false]);
		expect(moneyReports(unit.hear(0x10))).toEqual([stacked(false)]);
	});

	test.each<[string, number]>([
		['busy', 0x71],
		['a command that the unit does not know', 0x2a],
		['a note type without an escrow', 0x44],
	])('%s from an inhibited unit causes no report and no command', (_what, byte) => {
		const unit = new IctFixture().open().wait(700, 0x5e).forget().hear(byte);
		expect([unit.reports(), unit.written()]).toEqual([[], []]);
	});
});

test('a note that the acceptor or the driver returns is reported with the reason', () => {
	expect(moneyReports(new IctFixture().ready().hear(0x29))).toEqual([{ kind: 'refused', reason: 'rejected_by_machine' }]);
	expect(moneyReports(new IctFixture().ready().hear(0x81, 0x00))).toEqual([{ kind: 'refused', reason: 'unreadable' }]);
	expect(moneyReports(new IctFixture().ready().hear(0x81, 0x44).hear(0x45)).at(-1)).toEqual({ kind: 'refused', reason: 'unreadable' });
	expect(moneyReports(accepted().hear(0x81, 0x45)).at(-1)).toEqual({ kind: 'refused', reason: 'unreadable' });
});

test('ACCEPT within 4 s of the escrow causes no report', () => {
	expect(moneyReports(calm(inEscrow(), LIMITS.acceptMs).forget().ask('accept'))).toEqual([]);
});
