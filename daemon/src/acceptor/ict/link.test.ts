/** Limits of the link: power-up answer, polls, silence, noise, pauses and resets. */
import { describe, expect, test } from 'vitest';
import { accepted, Bench, calm, inEscrow, kinds, later, money, stacked, states } from './ict-machine.fixture.ts';
import { LIMITS } from './ict-state.ts';

const greetings = (bench: Bench) => bench.written().filter((command) => command === 'synchronise').length;
const [SOON, LATER] = [LIMITS.escrowOverMs - 400, LIMITS.escrowOverMs + 400];

describe('noise', () => {
	const noise = (count: number) => Array<number>(count).fill(0xff);

	test('is declared at eight bytes, not seven, and lasts half a second', () => {
		expect(kinds(new Bench().ready().hear(...noise(7), 0x81, 0x44))).toEqual(['escrow']);
		expect(kinds(new Bench().ready().hear(...noise(8), 0x81, 0x44))).toEqual(['refused']);
		const bench = new Bench().ready().hear(...noise(8));
		bench.now += LIMITS.noiseWindowMs;
		expect(kinds(bench.hear(0x81, 0x44))).toEqual(['escrow']);
		const just = new Bench().ready().hear(...noise(8));
		just.now += LIMITS.noiseWindowMs - 1;
		expect(kinds(just.hear(0x81, 0x44))).toEqual(['refused']);
	});

	test('starts counting again after a gap', () => {
		const bench = new Bench().ready().hear(...noise(7));
		bench.now += LIMITS.noiseWindowMs;
		expect(kinds(bench.hear(...noise(7), 0x81, 0x44))).toEqual(['escrow']);
	});

	test('that continues without a valid answer is reported as garbled', () => {
		const bench = new Bench().open().forget();
		for (let count = 1; count < LIMITS.garbledBytes; count += 1) later(bench, 600).hear(0xff);
		expect(states(bench)).not.toContain('garbled');
		expect(states(later(bench, 600).hear(0xff))).toEqual(['garbled']);
	});
});

describe('a pause of the process', () => {
	test('longer than 1.5 s counts: a note whose report is read within 250 ms after the pause is rejected', () => {
		const paused = (ms: number, read: number) => {
			const bench = later(later(new Bench().ready(), ms), 100);
			bench.now += read - 100;
			return kinds(bench.hear(0x81, 0x44));
		};
		const gap = (ms: number) => {
			const bench = new Bench().ready();
			bench.now += ms;
			return kinds(bench.hear(0x81, 0x44));
		};
		expect([gap(LIMITS.stallMs), gap(LIMITS.stallMs + 1)]).toEqual([['escrow'], ['refused']]);
		expect([paused(2_000, LIMITS.stallReadMs - 1), paused(2_000, LIMITS.stallReadMs)]).toEqual([['refused'], ['escrow']]);
	});

	test('continues while the process resumes in bursts', () => {
		const escrowAfter = (...gaps: number[]) => {
			const bench = later(new Bench().ready(), 6_000);
			for (const gap of gaps) later(bench, gap);
			return kinds(bench.hear(0x81, 0x44));
		};
		expect(escrowAfter(LIMITS.jerkMs, LIMITS.jerkMs)).toEqual(['escrow']);
		expect(escrowAfter(LIMITS.jerkMs + 1)).toEqual(['refused']);
		expect(escrowAfter(100, 1_000, 100, 100)).toEqual(['refused']);
		expect(escrowAfter(100, 1_000, 100, 100, 100)).toEqual(['escrow']);
		expect(escrowAfter(100, 100, 100, 1_000)).toEqual(['escrow']);
	});

	test('does not count while the line was closed', () => {
		const bench = new Bench();
		bench.now += 60_000;
		expect(kinds(bench.open().ask('enable').hear(0x81, 0x44))).toEqual(['escrow']);
	});
});

describe('ACCEPT as the answer to a power-up', () => {
	test('is sent at once, and only once', () => {
		const bench = new Bench().open().hear(0x80, 0x8f);
		expect(greetings(bench)).toBe(1);
		expect(greetings(calm(bench, 20_000))).toBe(1);
	});

	test('waits until 6 s after the last sign of a note in escrow', () => {
		for (const sign of [[0x81, 0x44], [0x44]]) {
			const bench = new Bench()
				.ready()
				.hear(...sign)
				.hear(0x80, 0x8f);
			expect(greetings(bench.wait(LIMITS.escrowOverMs))).toBe(0);
			expect(greetings(bench.wait(200))).toBe(1);
		}
	});

	test('waits 6 s from the first byte of half a power-up', () => {
		const bench = new Bench().open().hear(0x80);
		bench.wait(3_000).hear(0x80).wait(3_000);
		expect(greetings(bench)).toBe(0);
		expect(greetings(bench.wait(200))).toBe(1);
	});

	test('is sent once after a complete power-up, even if half a power-up follows', () => {
		const bench = new Bench().ready().hear(0x81, 0x44).hear(0x80, 0x8f).hear(0x80);
		expect(greetings(bench.wait(LIMITS.escrowOverMs + 200))).toBe(1);
	});

	test('the wait restarts when the line reopens; without a power-up no ACCEPT is sent', () => {
		const bench = new Bench().open().hear(0x80).wait(5_000);
		bench.do({ kind: 'lost', now: bench.now }).open();
		expect(greetings(bench.wait(LIMITS.escrowOverMs))).toBe(0);
		expect(greetings(bench.wait(200))).toBe(1);
		expect(greetings(calm(new Bench().open(), 20_000))).toBe(0);
	});

	test('is no longer due once the unit reports ENABLED, but stays due after INHIBITED', () => {
		expect(greetings(new Bench().open().hear(0x80).hear(0x3e).wait(10_000))).toBe(0);
		expect(greetings(new Bench().open().hear(0x80).hear(0x5e).wait(10_000))).toBe(1);
	});

	test('follows a communication failure, but no other fault', () => {
		expect(greetings(new Bench().ready().hear(0x26).wait(LATER))).toBe(1);
		expect(greetings(new Bench().ready().hear(0x22).wait(LATER))).toBe(0);
	});

	test('while it is due the unit does not count as silent', () => {
		expect(states(new Bench().open().hear(0x80).forget().wait(5_000))).not.toContain('silent');
	});
});

describe('polling', () => {
	const polls = (bench: Bench) => bench.written().filter((command) => command === 'poll').length;

	test('happens every 300 ms while the unit is enabled, every 600 ms otherwise, and never on a closed line', () => {
		expect(polls(calm(new Bench().ready(), 3_000))).toBe(10);
		expect(polls(new Bench().open().forget().wait(3_000, 0x5e))).toBe(5);
		const lost = new Bench().ready();
		expect(lost.do({ kind: 'lost', now: lost.now }).wait(3_000).written()).toEqual([]);
	});

	test('the line is reopened at the 6th unanswered poll and at every 20th after it', () => {
		const bench = new Bench().ready().wait(300 * 48);
		expect(bench.effects.flatMap((effect) => (effect.kind === 'reopen' ? [effect.reason] : []))).toEqual([
			'no answer to 5 polls',
			'no answer to 25 polls',
			'no answer to 45 polls',
		]);
	});

	test('a unit that never answered is shown as starting, then as silent', () => {
		const bench = new Bench().open();
		expect(states(bench)).toEqual(['starting']);
		expect(states(bench.wait(600 * 5))).toEqual(['starting']);
		expect(states(bench.wait(1_200))).toEqual(['starting', 'silent']);
	});

	test('after a reset the unit may be quiet for 15 s and is enabled again', () => {
		const bench = new Bench().ready().ask('reset');
		expect(bench.written()).toEqual(expect.arrayContaining(['reset', 'enable']));
		expect(states(bench.forget().wait(14_000))).not.toContain('silent');
		expect(states(bench.wait(4_000))).toContain('silent');
	});

	test('ENABLE is sent again when the unit reports INHIBITED, but not when it reports ENABLED', () => {
		const bench = calm(new Bench().ready(), 3_000);
		expect(bench.written()).not.toContain('enable');
		expect(new Bench().ready().wait(700, 0x5e).written()).toContain('enable');
		const early = new Bench().open().ask('enable').forget().wait(2_000);
		expect(early.written()).not.toContain('enable');
	});

	test('ready requires that the unit reports ENABLED after the kiosk enabled it', () => {
		const bench = new Bench().open().hear(0x3e);
		expect(states(bench).at(-1)).toBe('inhibited');
		bench.ask('enable');
		expect(states(bench).at(-1)).toBe('inhibited');
		expect(states(bench.hear(0x3e)).at(-1)).toBe('ready');
		expect(states(bench.ask('inhibit')).at(-1)).toBe('inhibited');
	});
});

describe('reset', () => {
	const isReset = (bench: Bench) => bench.forget().ask('reset').written().includes('reset');

	test('waits until no note can be in escrow and the note in flight has settled', () => {
		expect(isReset(new Bench().ready())).toBe(true);
		expect(isReset(inEscrow())).toBe(false);
		expect(isReset(new Bench().ready().hear(0xa1))).toBe(true);
		expect(isReset(calm(inEscrow().ask('reject'), 1_000))).toBe(false);
		expect(isReset(calm(inEscrow().ask('reject'), LIMITS.escrowOverMs + 100))).toBe(true);
		expect(isReset(calm(accepted(), LIMITS.outcomeMs))).toBe(false);
	});

	test('is possible for a jammed unit with a note in doubt; a later STACKED is then unexplained', () => {
		const bench = calm(accepted(), LIMITS.outcomeMs + 100);
		expect(isReset(bench)).toBe(true);
		expect(money(bench.forget().hear(0x10))).toEqual([stacked(false, null, false)]);
	});
});

test('everything received is logged in order', () => {
	const heard = new Bench()
		.ready()
		.hear(0x22, 0x2f, 0xff)
		.effects.flatMap((effect) => (effect.kind === 'heard' ? [effect.meaning.kind] : []));
	expect(heard).toEqual(['fault', 'fault_cleared', 'discarded']);
});

describe('ACCEPT as an answer, edge cases', () => {
	test('the driver does not answer NOT_SYNCHRONISED while a note may be in escrow', () => {
		expect(greetings(new Bench().open().hear(0xa1).wait(LIMITS.escrowOverMs))).toBe(0);
		expect(
			greetings(
				new Bench()
					.open()
					.hear(0xa1)
					.wait(LIMITS.escrowOverMs + 200),
			),
		).toBe(1);
	});

	test('a communication failure does not count as a full power-up, so the answer waits', () => {
		expect(greetings(new Bench().ready().hear(0x26).wait(SOON))).toBe(0);
	});

	test('half a power-up after a full one does not extend the wait', () => {
		const bench = inEscrow().wait(3_000, 0x71).hear(0x80, 0x8f).hear(0x80).wait(3_300);
		expect(greetings(bench)).toBe(1);
	});
});

test('a note rejected by the unit delays a reset until its escrow must be over', () => {
	const bench = new Bench().ready().hear(0x81, 0x44, 0x29).forget();
	expect(bench.ask('reset').written()).not.toContain('reset');
	expect(calm(bench, LIMITS.escrowOverMs).forget().ask('reset').written()).toContain('reset');
});
