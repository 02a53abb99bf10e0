import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from './codes.ts';
import { IctFixture, later, moneyReports, removals, states } from './ict-machine.fixture.ts';
import { LIMITS } from './ict-state.ts';

describe('power-up and polling', () => {
	test('after a power-up the unit gets SYNCHRONISE once, then INHIBIT and POLL', () => {
		const unit = new IctFixture().open().forget().hear(0x80, 0x8f);
		expect(unit.written()).toEqual(['synchronise', 'inhibit', 'poll']);
	});

	test('a power-up whose two bytes come in two reads is answered once', () => {
		const unit = new IctFixture().open().forget().hear(0x80).hear(0x8f);
		expect(unit.written().filter((command) => command === 'synchronise')).toHaveLength(1);
	});

	test('a unit that started before the daemon gets INHIBIT but no SYNCHRONISE', () => {
		const unit = new IctFixture().open().wait(2_000, 0x3e);
		expect(unit.written()).not.toContain('synchronise');
		expect(states(unit).at(-1)).toBe('inhibited');
	});

	test('half a power-up is not answered while a note may be in escrow', () => {
		const unit = new IctFixture()
			.open()
			.hear(0x80)
			.wait(LIMITS.escrowOverMs - 200);
		expect(unit.written()).not.toContain('synchronise');
		expect(unit.wait(500).written()).toContain('synchronise');
	});

	test('if noise turns an escrow byte into a power-up byte, SYNCHRONISE is not sent while the note may be in escrow', () => {
		const unit = new IctFixture().ready().hear(0x80, 0x44).wait(5_000);
		expect(unit.written()).not.toContain('synchronise');
	});

	test('after five unanswered polls the line is reopened, and the unit counts as silent until it answers', () => {
		const unit = new IctFixture().ready().wait(3_000);
		expect(states(unit)).toEqual(['silent']);
		expect(unit.effects).toContainEqual({ kind: 'reopen', reason: 'no answer to 5 polls' });
		expect(states(unit.forget().hear(0x3e))).toEqual(['ready']);
	});

	test('a unit that is quiet for less than 15 s after a power-up is not shown as silent', () => {
		const unit = new IctFixture().open().hear(0x80, 0x8f).wait(14_000);
		expect(states(unit)).not.toContain('silent');
	});

	test('if an enabled unit reports INHIBITED, ENABLE is sent again', () => {
		const unit = new IctFixture().ready().wait(400, 0x5e).wait(400, 0x3e);
		expect(unit.written()).toContain('enable');
		expect(states(unit).at(-1)).toBe('ready');
	});

	test('after 20 meaningless bytes the state is garbled', () => {
		const unit = new IctFixture().open().forget();
		for (let index = 0; index < LIMITS.garbledBytes; index += 1) unit.hear(0x3f);
		expect(states(unit)).toEqual(['garbled']);
	});
});

describe('a note', () => {
	test('is reported once, accepted on command and stacked', () => {
		const unit = new IctFixture().ready().hear(0x81).hear(0x45);
		expect(moneyReports(unit)).toEqual([{ kind: 'escrow', code: '0x45' }]);
		unit.ask('accept').hear(0x10);
		expect(unit.written().filter((command) => command === 'accept')).toHaveLength(1);
		expect(moneyReports(unit)).toContainEqual({ kind: 'stacked', accepted: true, late: false, code: '0x45' });
	});

	test('is rejected on command, and its return is reported as not accepted', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x40).ask('reject').hear(0x11);
		expect(unit.written()).toContain('reject');
		expect(moneyReports(unit).at(-1)).toEqual({ kind: 'returned', accepted: false });
	});

	test('RETURNED after ACCEPT is reported as the return of the accepted note', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x40).ask('accept').hear(0x11);
		expect(moneyReports(unit).at(-1)).toEqual({ kind: 'returned', accepted: true });
	});

	test('a jam during stacking does not decide the outcome, and STACKED after it is reported for the accepted note', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x40).ask('accept').hear(0x22).hear(0x10);
		expect(moneyReports(unit).at(-1)).toEqual({ kind: 'stacked', accepted: true, late: false, code: '0x40' });
	});

	test('a STACKED that is repeated at once does not count as a second note', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x40).ask('accept').hear(0x10, 0x10).hear(0x10);
		expect(moneyReports(unit).filter((report) => report.kind === 'stacked')).toHaveLength(1);
	});

	test('a second STACKED after the time limit for repeats counts as another note', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x40).ask('accept').hear(0x10).forget();
		unit.wait(LIMITS.repeatMs + 200, 0x3e).hear(0x10);
		expect(moneyReports(unit)).toEqual([{ kind: 'stacked', accepted: false, late: false, code: null }]);
	});

	test('STACKED without an escrow is reported as not accepted', () => {
		const unit = new IctFixture().ready().hear(0x10);
		expect(moneyReports(unit)).toEqual([{ kind: 'stacked', accepted: false, late: false, code: null }]);
	});

	test('STACKED after REJECT is reported as not accepted, with the note’s type', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x46).ask('reject').hear(0x10);
		expect(moneyReports(unit).at(-1)).toEqual({ kind: 'stacked', accepted: false, late: false, code: '0x46' });
	});

	test('if the unit repeats the escrow of an accepted note, ACCEPT is not sent again', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget().hear(0x81, 0x44).hear(0x44).hear(0x10);
		expect(unit.written()).not.toContain('accept');
		expect(moneyReports(unit)).toEqual([{ kind: 'stacked', accepted: true, late: false, code: '0x44' }]);
	});

	test('if a new escrow comes before the outcome of a note, that note is in doubt and the new note is rejected', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget();
		unit.now += 3_000;
		unit.do({ kind: 'tick', now: unit.now }).hear(0x81, 0x44);
		expect(moneyReports(unit).map((report) => report.kind)).toEqual(['outcome_missing', 'refused']);
		expect(unit.written()).toContain('reject');
	});

	test('a note whose escrow is repeated while the unit stacks the note counts as one note', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget();
		for (let poll = 0; poll < 10; poll += 1) unit.wait(500).hear(0x81, 0x44);
		expect(moneyReports(unit)).toEqual([]);
		expect(moneyReports(unit.hear(0x10))).toEqual([{ kind: 'stacked', accepted: true, late: false, code: '0x44' }]);
	});

	test('if an escrow is repeated for 7 s, RETURNED leaves the note in doubt, because the next note may have been returned', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget();
		for (let poll = 0; poll < 14; poll += 1) unit.wait(500).hear(0x81, 0x44);
		expect(moneyReports(unit.hear(0x11)).map((report) => report.kind)).toEqual(['outcome_missing']);
	});

	test('is rejected and reported as returned when ACCEPT comes too late', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).forget();
		unit.now += LIMITS.acceptMs + 1;
		unit.ask('accept');
		expect(unit.written()).toEqual(['reject']);
		expect(moneyReports(unit)).toEqual([{ kind: 'returned', accepted: true }]);
	});

	test('a note is in doubt if STACKED arrives in a flood of noise, and a later STACKED on a quiet line settles the note', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget();
		unit.hear(...Array<number>(LIMITS.floodBytes).fill(0xff), 0x10);
		expect(moneyReports(unit).map((report) => report.kind)).toEqual(['outcome_missing']);
		unit
			.forget()
			.wait(LIMITS.noiseWindowMs + 200, 0x3e)
			.hear(0x10);
		expect(moneyReports(unit)).toEqual([{ kind: 'stacked', accepted: true, late: true, code: '0x44' }]);
	});

	test('an escrow of another type right after a rejected note is a new note', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('reject').forget().hear(0x81, 0x45);
		expect(moneyReports(unit)).toEqual([{ kind: 'escrow', code: '0x45' }]);
	});

	test.each([0x29, 0x23])('if the same read shows that the note has left escrow (byte %i), the note is not offered', (byte) => {
		const unit = new IctFixture().ready().hear(0x81, 0x44, byte);
		expect(moneyReports(unit).map((report) => report.kind)).not.toContain('escrow');
	});

	test.each([0x24, 0x27])('a note that comes into escrow during a fault (byte %i) is rejected', (fault) => {
		const unit = new IctFixture().ready().hear(fault).hear(0x81, 0x44);
		expect(moneyReports(unit)).toEqual([{ kind: 'refused', reason: 'rejected_by_machine' }]);
	});

	test('a note after eight meaningless bytes is rejected, but a note after one such byte is offered', () => {
		const noise = [0xff, 0x99, 0xc3, 0x01, 0x77, 0xee, 0x03, 0xb0];
		const unit = new IctFixture().ready().hear(...noise, 0x81, 0x44);
		expect(moneyReports(unit)).toEqual([{ kind: 'refused', reason: 'unreadable' }]);
		expect(states(unit)).toEqual(['garbled']);
		expect(states(unit.forget().wait(LIMITS.noiseWindowMs + 100, 0x3e))).toEqual(['ready']);
		expect(moneyReports(new IctFixture().ready().hear(0xff, 0x81, 0x44))).toEqual([{ kind: 'escrow', code: '0x44' }]);
	});

	test('a note for which two different types are reported is rejected', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44, 0x81, 0x45);
		expect(unit.written()).toContain('reject');
		expect(moneyReports(unit)).toEqual([{ kind: 'refused', reason: 'unreadable' }]);
	});

	test('a type without an escrow byte is rejected and reported as unreadable', () => {
		const unit = new IctFixture().ready().hear(0x44);
		expect(moneyReports(unit)).toEqual([{ kind: 'refused', reason: 'unreadable' }]);
	});

	test('a note whose return is in the same read is never offered', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44, 0x11);
		expect(moneyReports(unit)).toEqual([{ kind: 'returned', accepted: false }]);
	});

	test('a note is rejected if the process was paused for long before it read the bytes', () => {
		const unit = new IctFixture().ready();
		unit.now += LIMITS.stallMs + 1;
		// After the pause, a tick can come before the bytes that waited in the read buffer.
		unit.do({ kind: 'tick', now: unit.now });
		expect(moneyReports(unit.hear(0x81, 0x44))).toEqual([{ kind: 'refused', reason: 'decided_too_late' }]);
	});

	test('after the time limit the outcome is reported missing, and a late STACKED still settles the note', () => {
		const unit = new IctFixture()
			.ready()
			.hear(0x81, 0x44)
			.ask('accept')
			.forget()
			.wait(LIMITS.outcomeMs + 200, 0x3e);
		expect(moneyReports(unit).map((report) => report.kind)).toEqual(['outcome_missing']);
		expect(moneyReports(unit.forget().hear(0x10))).toEqual([{ kind: 'stacked', accepted: true, late: true, code: '0x44' }]);
	});

	test.each([
		['at once', 0, ['outcome_missing']],
		['long', LIMITS.outcomeMs + 200, []],
	])('RETURNED %s after a lost line leaves the note in doubt, because RETURNED may be about the next note', (_when, ms, expected) => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept');
		unit.do({ kind: 'lost', now: unit.now }).wait(ms).open().forget().hear(0x11);
		expect(moneyReports(unit).map((report) => report.kind)).toEqual(expected);
	});

	test('if the line is lost after ACCEPT, STACKED on the reopened line credits the note', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget();
		unit.do({ kind: 'lost', now: unit.now }).open().hear(0x10);
		expect(moneyReports(unit)).toEqual([{ kind: 'stacked', accepted: true, late: false, code: '0x44' }]);
	});

	test('if the unit restarts while it stacks a note, the outcome of the note is reported missing', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget().hear(0x80, 0x8f);
		expect(moneyReports(unit).map((report) => report.kind)).toEqual(['outcome_missing']);
		expect(unit.written()).not.toContain('synchronise');
	});
});

describe('enable, inhibit, reset, lock', () => {
	test('INHIBIT is sent only after a note in flight has settled', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget().ask('inhibit');
		expect(unit.written()).not.toContain('inhibit');
		expect(unit.hear(0x10).written()).toContain('inhibit');
	});

	test('no reset is sent while a note may be in flight', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).ask('reset').ask('accept').ask('reset');
		expect(unit.written()).not.toContain('reset');
		expect(unit.hear(0x10).ask('reset').written()).toContain('reset');
	});

	test('a fault is shown and inhibits the unit until FAULT_CLEARED', () => {
		const unit = new IctFixture().ready().hear(0x28);
		expect(states(unit)).toEqual(['stacker_problem']);
		expect(unit.written()).toContain('inhibit');
		unit.forget().hear(0x2f).wait(400, 0x3e);
		expect(states(unit).at(-1)).toBe('ready');
	});

	test('after FAULT_CLEARED the unit is ready only when it answers a poll', () => {
		const unit = new IctFixture().ready().hear(0x22, 0x3e).forget().hear(0x2f);
		expect(unit.written()).toEqual(['enable', 'poll']);
		expect(states(unit)).toEqual(['inhibited']);
		expect(states(unit.forget().hear(0x3e))).toEqual(['ready']);
	});

	test('if a fault begins and ends in one read, the unit is ready only after it answers a poll', () => {
		const unit = new IctFixture().ready().hear(0x22, 0x2f);
		expect(states(unit)).toEqual(['inhibited']);
		expect(states(unit.forget().hear(0x3e))).toEqual(['ready']);
	});

	test('a cashbox that is removed and put back in one read is reported as removed', () => {
		const unit = new IctFixture().ready().hear(0x24, 0x2f);
		expect([removals(unit), states(unit)]).toEqual([1, ['inhibited']]);
		unit.forget().hear(0x24, 0x2f);
		expect([removals(unit), states(unit)]).toEqual([1, ['inhibited']]);
		unit.forget().hear(0x24, 0x22);
		expect([removals(unit), states(unit)]).toEqual([1, ['bill_jam']]);
	});

	test('a removal of the cashbox is reported once while fishing has locked cash', () => {
		const unit = new IctFixture().ready().hear(0x27).forget();
		expect(removals(unit.hear(0x24).wait(2_000, 0x24))).toBe(1);
		expect(states(unit)).toEqual(['bill_fish']);
		unit.forget().hear(0x2f, 0x3e).ask('unlock').wait(400, 0x3e);
		expect(states(unit).at(-1)).toBe('ready');
	});

	test('while fishing has locked cash, the return of the cashbox and its next removal are reported', () => {
		const unit = new IctFixture().ready().hear(0x27, 0x2f).hear(0x24).forget().hear(0x2f).wait(400, 0x5e).hear(0x24);
		const boxes = () => unit.reports().flatMap(({ kind }) => (kind === 'state' ? [] : [kind]));
		expect(boxes()).toEqual(['cashbox_in_place', 'cashbox_removed']);
		unit.forget().hear(0x80, 0x8f).hear(0x24).wait(1_000, 0x24);
		expect(boxes().filter((kind) => kind === 'cashbox_in_place')).toEqual([]);
		unit.forget().hear(0x2f).wait(400, 0x5e);
		expect(boxes()).toEqual(['cashbox_in_place']);
	});

	test('if the cashbox is removed during a rush and stays out, the removal is reported after the rush', () => {
		const unit = new IctFixture().ready().hear(0x27, 0x2f);
		for (let flap = 0; flap < 12; flap += 1) later(later(unit, 100).hear(0x24), 100).hear(0x2f, 0x3e);
		unit.forget().hear(0x24);
		expect(removals(unit)).toBe(0);
		for (let time = 0; time < 40; time += 1) unit.wait(300, 0x24);
		expect(removals(unit)).toBe(1);
	});

	test('a restart of a unit that echoes commands is no sign that the cashbox is back', () => {
		for (const lock of [[], [0x27, 0x2f]]) {
			const unit = new IctFixture()
				.ready()
				.hear(...lock)
				.hear(0x24)
				.forget();
			unit.hear(0x80, 0x8f).hear(0x5e).wait(300, 0x24);
			expect(states(unit).filter((state) => state === 'inhibited')).toEqual([]);
			unit.hear(0x2f).wait(400, 0x5e);
			expect(removals(unit)).toBe(0);
			const isBack = lock.length > 0 ? unit.reports().some(({ kind }) => kind === 'cashbox_in_place') : states(unit).at(-1) === 'inhibited';
			expect(isBack).toBe(true);
		}
	});

	test('a removed cashbox is reported once, even if the unit alternates between the removal and another fault', () => {
		const unit = new IctFixture().ready();
		for (let turn = 0; turn < 30; turn += 1) unit.hear(0x24).wait(300).hear(0x22).wait(300);
		expect(removals(unit)).toBe(1);
		expect(states(unit.wait(1_000).hear(0x2f).wait(400, 0x3e)).at(-1)).toBe('ready');
		expect(removals(unit.forget().hear(0x24))).toBe(1);
	});

	test('a cashbox-open byte in a flood of noise does not count as a removal', () => {
		const noise = Array<number>(LIMITS.floodBytes).fill(0xff);
		expect(removals(new IctFixture().ready().hear(...noise, 0x24, 0xff, 0x2f, 0xff))).toBe(0);
	});

	test('one INHIBITED answer does not clear a fault, but three do', () => {
		const unit = new IctFixture().ready().hear(0x22).hear(0x5e);
		expect(states(unit)).toEqual(['bill_jam']);
		expect(states(unit.hear(0x5e).hear(0x5e)).at(-1)).toBe('inhibited');
	});

	test('fishing locks cash until staff unlock it', () => {
		const unit = new IctFixture().ready().hear(0x27).hear(0x2f).wait(1_000, 0x5e);
		expect(states(unit)).toEqual(['bill_fish']);
		unit.forget().ask('unlock').wait(400, 0x3e);
		expect(states(unit).at(-1)).toBe('ready');
	});

	test.each([
		['unexpected bytes', [...Array<number>(LIMITS.floodBytes).fill(0xff), 0x27]],
		['more bytes than a unit sends', [...Array<number>(LIMITS.crowdBytes).fill(0x3e), 0x27]],
	])('a fishing byte among %s does not lock cash, but a fishing byte on a quiet line does', (_, flood) => {
		const unit = new IctFixture().ready().hear(...flood);
		expect(states(unit)).not.toContain('bill_fish');
		unit.wait(3_000, 0x3e);
		expect(states(unit).at(-1)).toBe('ready');
		unit.forget().hear(0x27).hear(0x2f).wait(1_000, 0x5e);
		expect(states(unit)).toEqual(['bill_fish']);
	});

	test('fishing after many quickly returned notes locks cash', () => {
		const unit = new IctFixture().ready();
		for (let returned = 0; returned < 30; returned += 1) unit.hear(0x29).wait(100, 0x3e);
		expect(states(unit.hear(0x27)).at(-1)).toBe('bill_fish');
	});

	test('if the noise before a fishing byte is one byte short of a flood, the fishing byte locks cash', () => {
		const unit = new IctFixture().ready().hear(...Array<number>(LIMITS.floodBytes - 1).fill(0xff), 0x27);
		expect(states(unit).at(-1)).toBe('bill_fish');
	});

	test('HOLD is sent only for a note in escrow', () => {
		const unit = new IctFixture().ready().ask('hold');
		expect(unit.written()).not.toContain('hold');
		expect(unit.hear(0x81, 0x44).ask('hold').written()).toContain('hold');
	});
});

const anyEvent = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.array(fc.constantFrom(0x10, 0x11, 0x20, 0x27, 0x29, 0x2f, 0x3e, 0x40, 0x44, 0x5e, 0x80, 0x81, 0x8f, 0xa1, 0xff), {
			minLength: 1,
			maxLength: 5,
		}),
	},
	{ weight: 3, arbitrary: fc.constantFrom('enable', 'inhibit', 'accept', 'reject', 'reset', 'unlock') },
	{ weight: 3, arbitrary: fc.constantFrom('lost', 'opened', 'tick') },
	{ weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }) },
);

test('for any input, byte 02 is sent only for an accepted note or when no note can be in escrow', () => {
	fc.assert(
		fc.property(fc.array(anyEvent, { maxLength: 80 }), (script) => {
			const unit = new IctFixture().open();
			let hintAt = Number.NEGATIVE_INFINITY;
			// Two letters after 8F are a country code.
			let letters = 0;
			for (const event of script) {
				unit.forget();
				const offered = unit.state.note.phase === 'escrow';
				if (Array.isArray(event)) {
					for (const byte of event) {
						if (byte === 0x8f) letters = 2;
						const country = letters > 0 && byte >= 0x41 && byte <= 0x4f;
						if (country) letters -= 1;
						else if (byte === 0x81 || (byte >= 0x40 && byte <= 0x4f)) hintAt = unit.now;
						// After an outcome no note is in escrow.
						if (byte === 0x10 || byte === 0x11) hintAt = Number.NEGATIVE_INFINITY;
					}
					unit.hear(...event);
				} else if (typeof event === 'number') unit.wait(event * 400, undefined);
				else if (event === 'lost' || event === 'opened' || event === 'tick') unit.do({ kind: event, now: unit.now });
				else unit.ask(event);
				for (const command of unit.written()) {
					if (COMMANDS[command] !== 0x02) continue;
					if (command === 'accept') expect(offered && event === 'accept').toBe(true);
					else expect(unit.now - hintAt).toBeGreaterThan(LIMITS.escrowOverMs);
				}
			}
		}),
		{ numRuns: 500 },
	);
});
