/**
 * STACKED does not name a note. While the STACKED of a note in doubt may still come, no next note
 * is accepted.
 */
import { describe, expect, test } from 'vitest';
import { accepted, calm, IctFixture, kinds, moneyReports, stacked, states } from './ict-machine.fixture.ts';
import { LIMITS } from './ict-state.ts';

const { nextNoteMs } = LIMITS;
/** The outcome of a note has been missing for one tick, and the next cash session has begun. */
const overdue = () => calm(accepted(), LIMITS.outcomeMs + 100).ask('enable');
/** Closes and reopens the line. */
const lost = (unit: IctFixture) => unit.do({ kind: 'lost', now: unit.now }).wait(100).open();
/** Inserts a note. @returns the kinds of the reports about it */
const fed = (unit: IctFixture) => kinds(unit.forget().hear(0x81, 0x45));
/** The poll answer of a unit that carried out the last command. */
const answer = (unit: IctFixture) => (unit.state.commanded === 'enabled' ? 0x3e : 0x5e);
const later = (unit: IctFixture, ms: number) => {
	for (const end = unit.now + ms; unit.now < end; ) unit.wait(100, answer(unit));
	return unit;
};

test('after a doubt the unit is inhibited and shown as busy during the wait for a late outcome', () => {
	const unit = overdue();
	expect([unit.written().at(-2), states(unit)]).toEqual(['inhibit', ['busy']]);
	later(unit.forget(), nextNoteMs - 200);
	expect([unit.written().includes('enable'), states(unit)]).toEqual([false, []]);
	later(unit, 400);
	expect([unit.written().includes('enable'), states(unit).at(-1)]).toEqual([true, 'ready']);
	expect(fed(unit)).toEqual(['escrow']);
});

test('a note inserted during the wait is rejected, and a late STACKED is not credited to it', () => {
	const unit = overdue().forget().hear(0x81, 0x45).ask('accept');
	expect([unit.written(), moneyReports(unit)]).toEqual([['reject'], [{ kind: 'refused', reason: 'rejected_by_machine' }]]);
	expect(moneyReports(unit.forget().hear(0x10))).toEqual([stacked(false, '0x45', false)]);
	expect(fed(later(unit, 3_000))).toEqual(['refused']);
});

describe('the outcome of the note in doubt ends the wait', () => {
	test.each([
		['STACKED', 0x10],
		['RETURNED', 0x11],
	])('after %s the next note is offered', (_what, byte) => {
		const unit = later(overdue().hear(byte), 400);
		expect([states(unit).at(-1), fed(unit)]).toEqual(['ready', ['escrow']]);
	});

	test('an outcome that may belong to another note does not end the wait', () => {
		const another = lost(calm(accepted(), LIMITS.outcomeMs + 100)).hear(0x10);
		expect(fed(later(another, 3_000))).toEqual(['refused']);
		const back = calm(calm(accepted(), 1_000).hear(0x29), LIMITS.outcomeMs + 100).hear(0x11);
		expect(fed(later(back, 3_000))).toEqual(['refused']);
	});
});

describe('only the outcome of the note shortens the wait after a doubt', () => {
	/** Events that end the overdue state; the unit may still send STACKED after them. */
	const ends: [string, (unit: IctFixture) => IctFixture][] = [
		['a fault that may hold another note', (unit) => unit.hear(0x22, 0x2f)],
		['a lost line', lost],
		['a restart of the unit', (unit) => unit.hear(0x80, 0x8f)],
		['a reset', (unit) => unit.ask('reset')],
		['a broken escrow', (unit) => unit.hear(0x81, 0x00)],
		['another note', (unit) => unit.hear(0x81, 0x45)],
	];
	const all: typeof ends = [
		...ends,
		['noise', (unit) => unit.hear(...Array<number>(LIMITS.floodBytes).fill(0xff))],
		['the next customer', (unit) => unit.ask('inhibit').ask('enable')],
	];
	test.each(all)('the wait is not shortened by %s while the note is overdue', (_what, happens) => {
		expect(fed(later(happens(later(overdue(), 10_000)), nextNoteMs - 11_000))).toEqual(['refused']);
	});

	test.each(all)('the wait is not shortened by %s when the note is no longer overdue', (_what, happens) => {
		expect(fed(later(happens(later(overdue(), LIMITS.lateMs + 200)), 3_000))).toEqual(['refused']);
	});

	test.each(ends)('after %s the full wait begins again', (_what, happens) => {
		const ended = () => happens(later(overdue(), 10_000));
		expect(fed(later(ended(), nextNoteMs - 200))).toEqual(['refused']);
		expect(fed(later(ended(), nextNoteMs + 400))).toEqual(['escrow']);
	});
});

describe('every doubt starts the wait', () => {
	test.each<[string, (unit: IctFixture) => IctFixture]>([
		['a restart of the unit', (unit) => unit.hear(0x80, 0x8f)],
		['a fault that may hold another note', (unit) => calm(unit, 3_000).hear(0x22, 0x2f)],
		['a fault followed by a lost line', (unit) => lost(unit.hear(0x22)).hear(0x2f)],
		['a RETURNED that may be about another note', (unit) => lost(unit).hear(0x11)],
		['a missing outcome on a reopened line', (unit) => later(lost(unit), LIMITS.outcomeMs)],
	])('the wait starts after %s', (_what, happens) => {
		const doubt = () => happens(accepted()).ask('enable');
		expect(kinds(doubt())).toContain('outcome_missing');
		expect(fed(later(doubt(), nextNoteMs - 200))).toEqual(['refused']);
		expect(fed(later(doubt(), nextNoteMs + 400))).toEqual(['escrow']);
	});

	test('after STACKED in a flood of noise, the wait starts when the time limit for the note’s outcome has passed', () => {
		const doubt = () => accepted().hear(...Array<number>(LIMITS.floodBytes).fill(0xff), 0x10);
		expect(fed(later(doubt(), LIMITS.outcomeMs + nextNoteMs - 200))).toEqual(['refused']);
		expect(fed(later(doubt(), LIMITS.outcomeMs + nextNoteMs + 400))).toEqual(['escrow']);
	});
});

test('for a note held by a fault, the wait starts when the fault ends', () => {
	const cleared = () => calm(accepted().hear(0x22), 60_000, 0x22).hear(0x2f);
	expect(states(cleared()).at(-1)).toBe('busy');
	expect(fed(later(cleared(), nextNoteMs - 100))).toEqual(['refused']);
	expect(fed(later(cleared(), nextNoteMs + 400))).toEqual(['escrow']);
});

test('if no note is in doubt, the next note is offered without a wait', () => {
	const unit = new IctFixture().ready();
	for (let note = 0; note < 3; note += 1) {
		expect(fed(unit)).toEqual(['escrow']);
		later(unit.ask('accept'), 3_000).hear(0x10);
	}
	expect(states(unit)).toEqual([]);
});
