/** Limits of the link: power-up answer, polls, silence, noise, pauses and resets. */
import { describe, expect, test } from 'vitest';
import { accepted, calm, IctFixture, inEscrow, kinds, later, moneyReports, stacked, states } from './ict-machine.fixture.ts';
import { LIMITS } from './ict-state.ts';

const greetings = (unit: IctFixture) => unit.written().filter((command) => command === 'synchronise').length;
const [SOON, LATER] = [LIMITS.escrowOverMs - 400, LIMITS.escrowOverMs + 400];

describe('noise', () => {
	const noise = (count: number) => Array<number>(count).fill(0xff);

	test('eight unexpected bytes count as noise for half a second, but seven do not', () => {
		expect(kinds(new IctFixture().ready().hear(...noise(7), 0x81, 0x44))).toEqual(['escrow']);
		expect(kinds(new IctFixture().ready().hear(...noise(8), 0x81, 0x44))).toEqual(['refused']);
		const unit = new IctFixture().ready().hear(...noise(8));
		unit.now += LIMITS.noiseWindowMs;
		expect(kinds(unit.hear(0x81, 0x44))).toEqual(['escrow']);
		const just = new IctFixture().ready().hear(...noise(8));
		just.now += LIMITS.noiseWindowMs - 1;
		expect(kinds(just.hear(0x81, 0x44))).toEqual(['refused']);
	});

	test('the count of unexpected bytes restarts after a gap of half a second', () => {
		const unit = new IctFixture().ready().hear(...noise(7));
		unit.now += LIMITS.noiseWindowMs;
		expect(kinds(unit.hear(...noise(7), 0x81, 0x44))).toEqual(['escrow']);
	});

	test('noise is reported as garbled after 20 bytes without a valid answer', () => {
		const unit = new IctFixture().open().forget();
		for (let count = 1; count < LIMITS.garbledBytes; count += 1) later(unit, 600).hear(0xff);
		expect(states(unit)).not.toContain('garbled');
		expect(states(later(unit, 600).hear(0xff))).toEqual(['garbled']);
	});
});

describe('a pause of the process', () => {
	test('a note that is read within 250 ms after a pause of more than 1.5 s is rejected', () => {
		const paused = (ms: number, read: number) => {
			const unit = later(later(new IctFixture().ready(), ms), 100);
			unit.now += read - 100;
			return kinds(unit.hear(0x81, 0x44));
		};
		const gap = (ms: number) => {
			const unit = new IctFixture().ready();
			unit.now += ms;
			return kinds(unit.hear(0x81, 0x44));
		};
		expect([gap(LIMITS.stallMs), gap(LIMITS.stallMs + 1)]).toEqual([['escrow'], ['refused']]);
		expect([paused(2_000, LIMITS.stallReadMs - 1), paused(2_000, LIMITS.stallReadMs)]).toEqual([['refused'], ['escrow']]);
	});

	test('a pause ends after 250 ms in which no gap is longer than 200 ms', () => {
		const escrowAfter = (...gaps: number[]) => {
			const unit = later(new IctFixture().ready(), 6_000);
			for (const gap of gaps) later(unit, gap);
			return kinds(unit.hear(0x81, 0x44));
		};
		expect(escrowAfter(LIMITS.jerkMs, LIMITS.jerkMs)).toEqual(['escrow']);
		expect(escrowAfter(LIMITS.jerkMs + 1)).toEqual(['refused']);
		expect(escrowAfter(100, 1_000, 100, 100)).toEqual(['refused']);
		expect(escrowAfter(100, 1_000, 100, 100, 100)).toEqual(['escrow']);
		expect(escrowAfter(100, 100, 100, 1_000)).toEqual(['escrow']);
	});

	test('the time while the line is closed does not count as a pause', () => {
		const unit = new IctFixture();
		unit.now += 60_000;
		expect(kinds(unit.open().ask('enable').hear(0x81, 0x44))).toEqual(['escrow']);
	});
});

describe('SYNCHRONISE as the answer to a power-up', () => {
	test('a complete power-up is answered at once, and only once', () => {
		const unit = new IctFixture().open().hear(0x80, 0x8f);
		expect(greetings(unit)).toBe(1);
		expect(greetings(calm(unit, 20_000))).toBe(1);
	});

	test('SYNCHRONISE is delayed until 6 s after the last sign of a note in escrow', () => {
		for (const sign of [[0x81, 0x44], [0x44]]) {
			const unit = new IctFixture()
				.ready()
				.hear(...sign)
				.hear(0x80, 0x8f);
			expect(greetings(unit.wait(LIMITS.escrowOverMs))).toBe(0);
			expect(greetings(unit.wait(200))).toBe(1);
		}
	});

	test('half a power-up is answered 6 s after its first byte', () => {
		const unit = new IctFixture().open().hear(0x80);
		unit.wait(3_000).hear(0x80).wait(3_000);
		expect(greetings(unit)).toBe(0);
		expect(greetings(unit.wait(200))).toBe(1);
	});

	test('a complete power-up is answered once, even if half a power-up follows', () => {
		const unit = new IctFixture().ready().hear(0x81, 0x44).hear(0x80, 0x8f).hear(0x80);
		expect(greetings(unit.wait(LIMITS.escrowOverMs + 200))).toBe(1);
	});

	test('when the line reopens, the wait before a due SYNCHRONISE restarts; without a power-up SYNCHRONISE is not sent', () => {
		const unit = new IctFixture().open().hear(0x80).wait(5_000);
		unit.do({ kind: 'lost', now: unit.now }).open();
		expect(greetings(unit.wait(LIMITS.escrowOverMs))).toBe(0);
		expect(greetings(unit.wait(200))).toBe(1);
		expect(greetings(calm(new IctFixture().open(), 20_000))).toBe(0);
	});

	test('after half a power-up, ENABLED makes SYNCHRONISE unnecessary, but INHIBITED does not', () => {
		expect(greetings(new IctFixture().open().hear(0x80).hear(0x3e).wait(10_000))).toBe(0);
		expect(greetings(new IctFixture().open().hear(0x80).hear(0x5e).wait(10_000))).toBe(1);
	});

	test('SYNCHRONISE is sent after a communication failure, but not after a jam', () => {
		expect(greetings(new IctFixture().ready().hear(0x26).wait(LATER))).toBe(1);
		expect(greetings(new IctFixture().ready().hear(0x22).wait(LATER))).toBe(0);
	});

	test('while SYNCHRONISE is due, the unit does not count as silent', () => {
		expect(states(new IctFixture().open().hear(0x80).forget().wait(5_000))).not.toContain('silent');
	});
});

describe('polling', () => {
	const polls = (unit: IctFixture) => unit.written().filter((command) => command === 'poll').length;

	test('the unit is polled every 300 ms if enabled, every second if inhibited, and never on a closed line', () => {
		expect(polls(calm(new IctFixture().ready(), 3_000))).toBe(10);
		expect(polls(new IctFixture().open().forget().wait(3_000, 0x5e))).toBe(3);
		const lost = new IctFixture().ready();
		expect(lost.do({ kind: 'lost', now: lost.now }).wait(3_000).written()).toEqual([]);
	});

	test('the line is reopened at the 6th unanswered poll and at every 20th after it', () => {
		const unit = new IctFixture().ready().wait(300 * 48);
		expect(unit.effects.flatMap((effect) => (effect.kind === 'reopen' ? [effect.reason] : []))).toEqual([
			'no answer to 5 polls',
			'no answer to 25 polls',
			'no answer to 45 polls',
		]);
	});

	test('a unit that never answered is shown as starting, then as silent', () => {
		const unit = new IctFixture().open();
		expect(states(unit)).toEqual(['starting']);
		expect(states(unit.wait(1_000 * 5))).toEqual(['starting']);
		expect(states(unit.wait(2_000))).toEqual(['starting', 'silent']);
	});

	test('after a reset the unit is enabled again and counts as silent only after 15 s', () => {
		const unit = new IctFixture().ready().ask('reset');
		expect(unit.written()).toEqual(expect.arrayContaining(['reset', 'enable']));
		expect(states(unit.forget().wait(14_000))).not.toContain('silent');
		expect(states(unit.wait(4_000))).toContain('silent');
	});

	test('ENABLE is sent again when the unit reports INHIBITED, but not when it reports ENABLED or nothing', () => {
		const unit = calm(new IctFixture().ready(), 3_000);
		expect(unit.written()).not.toContain('enable');
		expect(new IctFixture().ready().wait(700, 0x5e).written()).toContain('enable');
		const early = new IctFixture().open().ask('enable').forget().wait(2_000);
		expect(early.written()).not.toContain('enable');
	});

	test('the unit is ready only if it reports ENABLED after the daemon sent ENABLE', () => {
		const unit = new IctFixture().open().hear(0x3e);
		expect(states(unit).at(-1)).toBe('inhibited');
		unit.ask('enable');
		expect(states(unit).at(-1)).toBe('inhibited');
		expect(states(unit.hear(0x3e)).at(-1)).toBe('ready');
		expect(states(unit.ask('inhibit')).at(-1)).toBe('inhibited');
	});
});

describe('reset', () => {
	const isReset = (unit: IctFixture) => unit.forget().ask('reset').written().includes('reset');

	test('a reset is sent only if no note can be in escrow or in flight', () => {
		expect(isReset(new IctFixture().ready())).toBe(true);
		expect(isReset(inEscrow())).toBe(false);
		expect(isReset(new IctFixture().ready().hear(0xa1))).toBe(true);
		expect(isReset(calm(inEscrow().ask('reject'), 1_000))).toBe(false);
		expect(isReset(calm(inEscrow().ask('reject'), LIMITS.escrowOverMs + 100))).toBe(true);
		expect(isReset(calm(accepted(), LIMITS.outcomeMs))).toBe(false);
	});

	test('while a note is in doubt, a reset is sent, and a later STACKED counts as another note', () => {
		const unit = calm(accepted(), LIMITS.outcomeMs + 100);
		expect(isReset(unit)).toBe(true);
		expect(moneyReports(unit.forget().hear(0x10))).toEqual([stacked(false, null, false)]);
	});
});

test('the state machine passes on all decoded messages in order', () => {
	const heard = new IctFixture()
		.ready()
		.hear(0x22, 0x2f, 0xff)
		.effects.flatMap((effect) => (effect.kind === 'heard' ? [effect.meaning.kind] : []));
	expect(heard).toEqual(['fault', 'fault_cleared', 'discarded']);
});

describe('SYNCHRONISE as an answer, edge cases', () => {
	test('NOT_SYNCHRONISED is answered only when no note can be in escrow', () => {
		expect(greetings(new IctFixture().open().hear(0xa1).wait(LIMITS.escrowOverMs))).toBe(0);
		expect(
			greetings(
				new IctFixture()
					.open()
					.hear(0xa1)
					.wait(LIMITS.escrowOverMs + 200),
			),
		).toBe(1);
	});

	test('after a communication failure, SYNCHRONISE is not sent at once', () => {
		expect(greetings(new IctFixture().ready().hear(0x26).wait(SOON))).toBe(0);
	});

	test('half a power-up after a complete one does not delay SYNCHRONISE further', () => {
		const unit = inEscrow().wait(3_000, 0x71).hear(0x80, 0x8f).hear(0x80).wait(3_300);
		expect(greetings(unit)).toBe(1);
	});
});

test('after the unit rejects a note, a reset is ignored until 6 s after the escrow of the note', () => {
	const unit = new IctFixture().ready().hear(0x81, 0x44, 0x29).forget();
	expect(unit.ask('reset').written()).not.toContain('reset');
	expect(calm(unit, LIMITS.escrowOverMs).forget().ask('reset').written()).toContain('reset');
});

test('a pulled note that is reported again after staff have unlocked the acceptor locks it again', () => {
	const unit = new IctFixture().ready().hear(0x27);
	expect(states(unit)).toEqual(['bill_fish']);
	unit.forget().ask('unlock').hear(0x27);
	expect([unit.state.locked, states(unit).at(-1)]).toEqual([true, 'bill_fish']);
});
