/**
 * Attribution of STACKED and RETURNED to a note. After a lost line, a fault or a long silence, both
 * may be about another note. If so, they do not settle the accepted note.
 */
import { describe, expect, test } from 'vitest';
import type { AcceptorReport } from '../driver.ts';
import { accepted, calm, IctFixture, moneyReports } from './ict-machine.fixture.ts';
import { LIMITS } from './ict-state.ts';

const LATE: AcceptorReport = { kind: 'stacked', accepted: true, late: true, code: '0x44' };
const IN_TIME: AcceptorReport = { kind: 'stacked', accepted: true, late: false, code: '0x44' };
/** STACKED of another note, whose value is unknown. */
const ANOTHER: AcceptorReport = { kind: 'stacked', accepted: false, late: false, code: null };
const BACK: AcceptorReport = { kind: 'returned', accepted: true };
const missing = (why: string, other: boolean): AcceptorReport => ({ kind: 'outcome_missing', why, other });
const FAULT = missing('a fault began that may hold another note', true);

const overdue = () => calm(accepted(), LIMITS.outcomeMs + 100).forget();
const lost = (unit: IctFixture): IctFixture => unit.do({ kind: 'lost', now: unit.now });
const said = (unit: IctFixture, ...bytes: number[]) => moneyReports(unit.forget().hear(...bytes));

describe('a note without an outcome', () => {
	test('STACKED settles the note within 30 s after ACCEPT, but not later', () => {
		const both = LIMITS.outcomeMs + LIMITS.lateMs;
		expect(said(calm(accepted(), both), 0x10)).toEqual([LATE]);
		expect(said(calm(accepted(), both + 100), 0x10)).toEqual([ANOTHER]);
		expect(said(calm(accepted(), 120_000), 0x10)).toEqual([ANOTHER]);
	});

	test('the note counts as returned if RETURNED comes within 30 s after ACCEPT, but not later', () => {
		const both = LIMITS.outcomeMs + LIMITS.lateMs;
		expect(said(calm(accepted(), both), 0x11)).toEqual([BACK]);
		expect(said(calm(accepted(), both + 100), 0x11)).toEqual([]);
	});
});

describe('a jam on the way to the cashbox', () => {
	const jammed = () => accepted().hear(0x22);

	test('while a jam lasts, the next STACKED or RETURNED is attributed to the jammed note', () => {
		for (const [byte, report] of [
			[0x10, LATE],
			[0x11, BACK],
		] as const)
			expect(said(calm(jammed(), 60_000, 0x22), byte)).toEqual([report]);
	});

	test.each([
		['2F', [0x2f]],
		['healthy answers', [0x3e, 0x3e, 0x3e]],
	])('more than 15 s after a jam ends with %s, STACKED and RETURNED are no longer attributed to the jammed note', (_what, cleared) => {
		const over = (ms: number) => calm(calm(jammed(), 60_000, 0x22).hear(...cleared), ms);
		expect(said(over(LIMITS.lateMs), 0x10)).toEqual([LATE]);
		expect(said(over(LIMITS.lateMs + 100), 0x10)).toEqual([ANOTHER]);
		expect(said(over(LIMITS.lateMs + 100), 0x11)).toEqual([]);
	});

	test('a jam that turns into another fault before the jam is cleared counts as one fault', () => {
		expect(said(calm(jammed(), 20_000, 0x22).hear(0x24).hear(0x22, 0x2f), 0x10)).toEqual([LATE]);
	});

	test('after a second jam, STACKED counts as another note, because staff may have removed the jammed note', () => {
		const again = calm(jammed(), 1_000, 0x22).hear(0x2f).forget().hear(0x22);
		expect(moneyReports(again)).toEqual([FAULT]);
		expect(said(again.hear(0x2f), 0x10)).toEqual([ANOTHER]);
		const late = calm(calm(jammed(), 60_000, 0x22).hear(0x2f), 1_000)
			.forget()
			.hear(0x25);
		expect(moneyReports(late)).toEqual([]);
		expect(said(late.hear(0x2f), 0x10)).toEqual([ANOTHER]);
		expect(said(late, 0x11)).toEqual([]);
	});

	test('a jam that begins more than 1.5 s after ACCEPT may hold another note, so the accepted note is in doubt', () => {
		expect(said(calm(accepted(), LIMITS.stackingMs).hear(0x22, 0x2f), 0x10)).toEqual([IN_TIME]);
		const late = calm(accepted(), LIMITS.stackingMs + 100)
			.forget()
			.hear(0x22);
		expect(moneyReports(late)).toEqual([FAULT]);
		expect(said(late.hear(0x2f), 0x10)).toEqual([ANOTHER]);
		expect(said(overdue().hear(0x22, 0x2f), 0x10)).toEqual([ANOTHER]);
	});

	test('if the cashbox is removed 1.7 s after ACCEPT, a later RETURNED is not attributed to the note', () => {
		const removed = calm(accepted(), 1_700).forget().hear(0x24);
		expect(moneyReports(removed)).toEqual([FAULT]);
		expect(said(removed.hear(0x2f), 0x11)).toEqual([]);
	});

	test('a jam before ACCEPT does not count as the first of two jams', () => {
		const before = new IctFixture().ready().hear(0x22, 0x2f).wait(400, 0x3e).hear(0x81, 0x44).ask('accept');
		expect(said(before.hear(0x22, 0x2f), 0x10)).toEqual([IN_TIME]);
	});

	test('after a jam, a second STACKED counts as a second note', () => {
		expect(said(jammed().hear(0x2f), 0x10, 0x10)).toEqual([IN_TIME, ANOTHER]);
		expect(said(accepted().hear(0x10, 0x22, 0x2f), 0x10)).toEqual([ANOTHER]);
		expect(said(new IctFixture().ready().hear(0x22, 0x2f), 0x10, 0x10)).toEqual([ANOTHER]);
	});

	test('if fishing locks the unit while it stacks a note, the outcome is reported missing with the hint that another note may have come', () => {
		const locked = calm(accepted().hear(0x27).forget(), LIMITS.outcomeMs + 100, 0x27);
		expect(moneyReports(locked)).toEqual([missing('the acceptor did not say within 15000 ms what became of the note', true)]);
	});
});

describe('a line that was closed', () => {
	const away = (ms: number) => lost(accepted()).wait(ms).open().forget();

	test('after a short loss of the line without a fault, STACKED settles the note', () => {
		expect(said(away(5_000), 0x10)).toEqual([IN_TIME]);
	});

	test('if the line was lost and the outcome was then reported missing, a later STACKED counts as another note', () => {
		const why = 'the acceptor did not say within 15000 ms what became of the note';
		expect(moneyReports(lost(accepted()).wait(LIMITS.outcomeMs + 100))).toEqual([missing(why, true)]);
		expect(said(away(LIMITS.outcomeMs + 100), 0x10)).toEqual([ANOTHER]);
		expect(said(calm(away(1_000), LIMITS.outcomeMs), 0x10)).toEqual([ANOTHER]);
	});

	test('a fault before or after a lost line leaves the note in doubt', () => {
		const after = away(1_000).hear(0x22);
		expect(moneyReports(after)).toEqual([FAULT]);
		expect(said(after.hear(0x2f), 0x10)).toEqual([ANOTHER]);
		for (const bytes of [[0x22], [0x22, 0x2f]]) {
			const before = calm(accepted(), 500).hear(...bytes);
			expect(moneyReports(lost(before.forget()))).toEqual([missing('the line went away after a fault', true)]);
			expect(said(before.open(), 0x10)).toEqual([ANOTHER]);
		}
	});

	test('if the line is lost while a note is in doubt, the outcome is not reported missing again, and STACKED does not settle the note', () => {
		for (const unit of [overdue(), calm(accepted().hear(0x22), 20_000, 0x22).forget()]) {
			expect(moneyReports(lost(unit))).toEqual([]);
			expect(said(unit.open(), 0x10)).toEqual([ANOTHER]);
		}
	});
});

test('if the unit restarts while it stacks a note, the note is in doubt; another note may have come only if the line was lost', () => {
	const why = 'the acceptor restarted while it stacked the note';
	expect(said(accepted(), 0x80, 0x8f)).toEqual([missing(why, false)]);
	expect(said(lost(accepted()).open(), 0x80, 0x8f)).toEqual([missing(why, true)]);
});

test('STACKED after the unit has restarted counts as another note', () => {
	expect(said(accepted().hear(0x80, 0x8f), 0x10)).toEqual([ANOTHER]);
});

test('a flood of noise on a reopened line does not extend the time limit for the outcome', () => {
	const flood = () =>
		lost(accepted())
			.open()
			.hear(...Array<number>(LIMITS.floodBytes).fill(0xff), 0x10);
	expect(said(calm(flood(), LIMITS.outcomeMs), 0x10)).toEqual([LATE]);
	expect(said(calm(flood(), LIMITS.outcomeMs + 100), 0x10)).toEqual([ANOTHER]);
});

describe('a sign of the next note', () => {
	test.each([
		['NOTE_REJECTED (29)', [0x29]],
		['an escrow without a type', [0x81, 0x3e]],
		['a type without an escrow', [0x45]],
		['a repeated escrow of the note', [0x81, 0x44]],
	])('after %s, a RETURNED more than 6 s after ACCEPT leaves the note in doubt', (_what, bytes) => {
		const sign = () => calm(accepted(), 1_000).hear(...bytes);
		expect(said(calm(sign(), LIMITS.escrowOverMs - 1_000), 0x11)).toEqual([BACK]);
		const doubt = missing('a note came back, but perhaps not this one', true);
		expect(said(calm(sign(), LIMITS.escrowOverMs - 900), 0x11)).toEqual([doubt]);
		// If the outcome was already reported missing, RETURNED changes nothing.
		expect(said(calm(sign(), LIMITS.outcomeMs), 0x11)).toEqual([]);
		expect(said(calm(sign(), LIMITS.escrowOverMs), 0x10)).toEqual([IN_TIME]);
	});

	test('after a second escrow, a broken escrow or a type without an escrow, STACKED counts as another note of unknown value', () => {
		const another = accepted().hear(0x81, 0x45).forget();
		expect(said(another, 0x10)).toEqual([ANOTHER]);
		expect(said(new IctFixture().ready().hear(0x81, 0x44, 0x81, 0x45), 0x10)).toEqual([ANOTHER]);
		expect(said(new IctFixture().ready().hear(0x44), 0x10)).toEqual([ANOTHER]);
		expect(said(overdue().hear(0x81, 0x00), 0x10)).toEqual([ANOTHER]);
	});
});

test.each([
	['accepted', 'accept'],
	['refused', 'reject'],
] as const)(
	'if a note that was %s is returned between two STACKED in quick succession, the second STACKED is not a repeat',
	(_what, command) => {
		const previous = accepted().hear(0x10);
		previous.now += 1_000;
		const next = previous.hear(0x81, 0x45).ask(command);
		next.now += 500;
		expect(said(next.hear(0x11), 0x10)).toEqual([ANOTHER]);
	},
);
