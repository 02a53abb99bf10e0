import { describe, expect, test } from 'vitest';
import { accepted, calm, IctFixture, kinds, later, moneyReports, states } from './ict-machine.fixture.ts';

/** Reports a rejected note and then STACKED, `times` times. */
const fall = (unit: IctFixture, times: number): IctFixture => {
	for (let time = 0; time < times; time += 1) later(unit, 100).hear(0x81, 0x29, 0x10);
	return unit;
};

describe('more notes than a unit can move', () => {
	test('after ten notes stacked without acceptance, more such notes are only counted, and cash is off until the count is reported', () => {
		const unit = fall(new IctFixture().ready(), 10);
		expect(kinds(unit).filter((kind) => kind === 'stacked')).toHaveLength(10);
		expect(kinds(fall(unit.forget(), 1))).toEqual(['refused', 'rush']);
		expect(states(unit).at(-1)).toBe('garbled');
		expect(unit.written()).toContain('inhibit');
		expect(kinds(fall(unit.forget(), 20))).toEqual([]);
		expect(moneyReports(calm(unit, 6_000))).toEqual([{ kind: 'rush', phase: 'over', refused: 20, stacked: 21 }]);
		expect(states(unit).at(-1)).toBe('ready');
		expect(kinds(unit.forget().hear(0x81, 0x44))).toEqual(['escrow']);
	});

	test('a minute after a rush, one more note stacked without acceptance is reported, and the next such note begins another rush', () => {
		const unit = calm(fall(new IctFixture().ready(), 11), 66_000).forget();
		expect(kinds(fall(unit, 1))).toContain('stacked');
		expect(kinds(calm(unit, 2_000).forget().hear(0x81, 0x29, 0x10))).toEqual(['refused', 'rush']);
	});

	test('notes returned once a second are all reported, but of 100 notes returned in 10 s fewer than 35 are reported', () => {
		const slow = new IctFixture().ready();
		for (let time = 0; time < 100; time += 1) calm(slow, 1_000).hear(0x29);
		expect(kinds(slow)).toHaveLength(100);
		const quick = new IctFixture().ready();
		for (let time = 0; time < 100; time += 1) later(quick, 100).hear(0x29);
		const told = kinds(quick);
		expect(told.filter((kind) => kind === 'refused').length).toBeLessThan(35);
		expect(told.filter((kind) => kind === 'rush')).toHaveLength(1);
	});

	test('a bad cashbox contact is reported ten times and then begins rushes, each about twice as long as the one before', () => {
		const unit = new IctFixture().ready();
		for (let flap = 0; flap < 100; flap += 1) later(later(unit, 100).hear(0x24), 100).hear(0x2f, 0x3e);
		expect(states(unit).filter((state) => state === 'cashbox_open')).toHaveLength(10);
		expect(states(unit).at(-1)).toBe('garbled');
		expect(moneyReports(calm(unit.forget(), 5_200))).toEqual([{ kind: 'rush', phase: 'over', refused: 0, stacked: 0 }]);
		expect(kinds(unit.forget().hear(0x24, 0x2f))).toEqual(['rush']);
		expect(kinds(calm(unit.forget(), 9_500))).toEqual([]);
		expect(kinds(calm(unit, 1_000))).toEqual(['rush']);
	});

	test('STACKED during a rush does not credit the note in flight', () => {
		const unit = accepted();
		for (let time = 0; time < 40; time += 1) later(unit, 30).hear(0x29, 0x81, 0x29);
		expect(kinds(unit.hear(0x10))).not.toContain('stacked');
	});
});

test('a note in escrow is rejected if more bytes arrive in a short time than a unit can send', () => {
	const crowd = new IctFixture().ready();
	expect(kinds(crowd.hear(...Array<number>(60).fill(0x3e), 0x81, 0x44))).toEqual(['refused']);
});

test('STACKED among more bytes than a unit sends leaves the note in doubt until STACKED is repeated', () => {
	const unit = accepted().hear(...Array<number>(60).fill(0x3e), 0x10);
	expect(kinds(unit)).toEqual(['outcome_missing']);
	expect(kinds(later(unit, 2_000).hear(0x10))).toEqual(['outcome_missing', 'stacked']);
});
