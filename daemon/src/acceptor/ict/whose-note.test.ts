/** Whose 10 and 11 is it? After a lost line, a fault or a silence it may be that of another note, and then it settles nothing. */
import { describe, expect, test } from 'vitest';
import type { AcceptorReport } from '../driver.ts';
import { LIMITS } from './state.ts';
import { accepted, Bench, calm, money } from './test-bench.ts';

const LATE: AcceptorReport = { kind: 'stacked', accepted: true, late: true, code: '0x44' };
const IN_TIME: AcceptorReport = { kind: 'stacked', accepted: true, late: false, code: '0x44' };
/** A note of its own, of which nothing is known. */
const ANOTHER: AcceptorReport = { kind: 'stacked', accepted: false, late: false, code: null };
const BACK: AcceptorReport = { kind: 'returned', accepted: true };
const missing = (why: string, other: boolean): AcceptorReport => ({ kind: 'outcome_missing', why, other });
const FAULT = missing('a fault began that may hold another note', true);

const overdue = () => calm(accepted(), LIMITS.outcomeMs + 100).forget();
const lost = (bench: Bench): Bench => bench.do({ kind: 'lost', now: bench.now });
const said = (bench: Bench, ...bytes: number[]) => money(bench.forget().hear(...bytes));

describe('a note of which the unit says nothing', () => {
	test('is settled by a late 10 for as long as anything can move in it, and not by one that comes minutes later', () => {
		const both = LIMITS.outcomeMs + LIMITS.lateMs;
		expect(said(calm(accepted(), both), 0x10)).toEqual([LATE]);
		expect(said(calm(accepted(), both + 100), 0x10)).toEqual([ANOTHER]);
		expect(said(calm(accepted(), 120_000), 0x10)).toEqual([ANOTHER]);
	});

	test('is not back because something comes back minutes later', () => {
		const both = LIMITS.outcomeMs + LIMITS.lateMs;
		expect(said(calm(accepted(), both), 0x11)).toEqual([BACK]);
		expect(said(calm(accepted(), both + 100), 0x11)).toEqual([]);
	});
});

describe('a jam on the way to the cashbox', () => {
	const jammed = () => accepted().hear(0x22);

	test('holds the note for as long as it stands: whatever the unit says then is about it', () => {
		for (const [byte, report] of [
			[0x10, LATE],
			[0x11, BACK],
		] as const)
			expect(said(calm(jammed(), 60_000, 0x22), byte)).toEqual([report]);
	});

	test.each([
		['2F', [0x2f]],
		['healthy answers', [0x3e, 0x3e, 0x3e]],
	])('is over with %s: 15 s later the note is not in the unit any more', (_what, cleared) => {
		const over = (ms: number) => calm(calm(jammed(), 60_000, 0x22).hear(...cleared), ms);
		expect(said(over(LIMITS.lateMs), 0x10)).toEqual([LATE]);
		expect(said(over(LIMITS.lateMs + 100), 0x10)).toEqual([ANOTHER]);
		expect(said(over(LIMITS.lateMs + 100), 0x11)).toEqual([]);
	});

	test('that becomes another fault before it is cleared is one and the same', () => {
		expect(said(calm(jammed(), 20_000, 0x22).hear(0x24).hear(0x22, 0x2f), 0x10)).toEqual([LATE]);
	});

	test('and a second one: the note may have been taken out by hand, and the next one may hang there', () => {
		const again = calm(jammed(), 1_000, 0x22).hear(0x2f).forget().hear(0x22);
		expect(money(again)).toEqual([FAULT]);
		expect(said(again.hear(0x2f), 0x10)).toEqual([ANOTHER]);
		const late = calm(calm(jammed(), 60_000, 0x22).hear(0x2f), 1_000)
			.forget()
			.hear(0x25);
		expect(money(late)).toEqual([]);
		expect(said(late.hear(0x2f), 0x10)).toEqual([ANOTHER]);
		expect(said(late, 0x11)).toEqual([]);
	});

	test('that begins later than anything is stacked has found the note in the cashbox', () => {
		expect(said(calm(accepted(), LIMITS.stackingMs).hear(0x22, 0x2f), 0x10)).toEqual([IN_TIME]);
		const late = calm(accepted(), LIMITS.stackingMs + 100)
			.forget()
			.hear(0x22);
		expect(money(late)).toEqual([FAULT]);
		expect(said(late.hear(0x2f), 0x10)).toEqual([ANOTHER]);
		expect(said(overdue().hear(0x22, 0x2f), 0x10)).toEqual([ANOTHER]);
	});

	test('before the note was taken does not count', () => {
		const before = new Bench().ready().hear(0x22, 0x2f).wait(400, 0x3e).hear(0x81, 0x44).ask('accept');
		expect(said(before.hear(0x22, 0x2f), 0x10)).toEqual([IN_TIME]);
	});

	test('makes a second 10 a second note: a person pushed on what hung behind it', () => {
		expect(said(jammed().hear(0x2f), 0x10, 0x10)).toEqual([IN_TIME, ANOTHER]);
		expect(said(accepted().hear(0x10, 0x22, 0x2f), 0x10)).toEqual([ANOTHER]);
		expect(said(new Bench().ready().hear(0x22, 0x2f), 0x10, 0x10)).toEqual([ANOTHER]);
	});

	test('with a lock on it, of which further faults are not shown, leaves nothing to explain by the note', () => {
		const locked = calm(accepted().hear(0x27).forget(), LIMITS.outcomeMs + 100, 0x27);
		expect(money(locked)).toEqual([missing('the acceptor did not say within 15000 ms what became of the note', true)]);
	});
});

describe('a line that was away', () => {
	const away = (ms: number) => lost(accepted()).wait(ms).open().forget();

	test('for a moment, without a fault: the note falls as ever', () => {
		expect(said(away(5_000), 0x10)).toEqual([IN_TIME]);
	});

	test('until the outcome was missing: what falls later is a note of its own, also at once', () => {
		const why = 'the acceptor did not say within 15000 ms what became of the note';
		expect(money(lost(accepted()).wait(LIMITS.outcomeMs + 100))).toEqual([missing(why, true)]);
		expect(said(away(LIMITS.outcomeMs + 100), 0x10)).toEqual([ANOTHER]);
		expect(said(calm(away(1_000), LIMITS.outcomeMs), 0x10)).toEqual([ANOTHER]);
	});

	test('and a fault, in whatever order: nobody knows which note it holds', () => {
		const after = away(1_000).hear(0x22);
		expect(money(after)).toEqual([FAULT]);
		expect(said(after.hear(0x2f), 0x10)).toEqual([ANOTHER]);
		for (const bytes of [[0x22], [0x22, 0x2f]]) {
			const before = calm(accepted(), 500).hear(...bytes);
			expect(money(lost(before.forget()))).toEqual([missing('the line went away after a fault', true)]);
			expect(said(before.open(), 0x10)).toEqual([ANOTHER]);
		}
	});

	test('when the note was in doubt already: nothing is said of it a second time, and nothing settles it', () => {
		for (const bench of [overdue(), calm(accepted().hear(0x22), 20_000, 0x22).forget()]) {
			expect(money(lost(bench))).toEqual([]);
			expect(said(bench.open(), 0x10)).toEqual([ANOTHER]);
		}
	});
});

test('a unit that restarts with the note inside may still say where it is, unless its line was away', () => {
	const why = 'the acceptor restarted while it stacked the note';
	expect(said(accepted(), 0x80, 0x8f)).toEqual([missing(why, false)]);
	expect(said(lost(accepted()).open(), 0x80, 0x8f)).toEqual([missing(why, true)]);
	expect(said(accepted().hear(0x80, 0x8f), 0x10)).toEqual([ANOTHER]);
});

test('a flood of noise on a line that was away leaves the note no more time than the line itself', () => {
	const flood = () =>
		lost(accepted())
			.open()
			.hear(...Array<number>(LIMITS.floodBytes).fill(0xff), 0x10);
	expect(said(calm(flood(), LIMITS.outcomeMs), 0x10)).toEqual([LATE]);
	expect(said(calm(flood(), LIMITS.outcomeMs + 100), 0x10)).toEqual([ANOTHER]);
});

describe('a sign of the next note', () => {
	test.each([
		['29', [0x29]],
		['an escrow without a type', [0x81, 0x3e]],
		['a type without an escrow', [0x45]],
		['its own name', [0x81, 0x44]],
	])('%s: a return that comes later than an escrow lasts may be that of the next one', (_what, bytes) => {
		const sign = () => calm(accepted(), 1_000).hear(...bytes);
		expect(said(calm(sign(), LIMITS.escrowOverMs - 1_000), 0x11)).toEqual([BACK]);
		const doubt = missing('a note came back, but perhaps not this one', true);
		expect(said(calm(sign(), LIMITS.escrowOverMs - 900), 0x11)).toEqual([doubt]);
		// In doubt already, it stays there.
		expect(said(calm(sign(), LIMITS.outcomeMs), 0x11)).toEqual([]);
		expect(said(calm(sign(), LIMITS.escrowOverMs), 0x10)).toEqual([IN_TIME]);
	});

	test('a type that was not read well names nothing: a person who counts must be able to say what it is', () => {
		const another = accepted().hear(0x81, 0x45).forget();
		expect(said(another, 0x10)).toEqual([ANOTHER]);
		expect(said(new Bench().ready().hear(0x81, 0x44, 0x81, 0x45), 0x10)).toEqual([ANOTHER]);
		expect(said(new Bench().ready().hear(0x44), 0x10)).toEqual([ANOTHER]);
		expect(said(overdue().hear(0x81, 0x00), 0x10)).toEqual([ANOTHER]);
	});
});
