/** The link at its limits: greeting, polls, silence, noise, pauses and resets. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from './state.ts';
import { accepted, Bench, calm, inEscrow, kinds, later, money, stacked, states } from './test-bench.ts';

describe('noise', () => {
	const noise = (count: number) => Array<number>(count).fill(0xff);

	test('of seven bytes is none; of eight it is, for half a second', () => {
		expect(kinds(new Bench().ready().hear(...noise(7), 0x81, 0x44))).toEqual(['escrow']);
		expect(kinds(new Bench().ready().hear(...noise(8), 0x81, 0x44))).toEqual(['refused']);
		const bench = new Bench().ready().hear(...noise(8));
		bench.now += LIMITS.noiseWindowMs;
		expect(kinds(bench.hear(0x81, 0x44))).toEqual(['escrow']);
		const just = new Bench().ready().hear(...noise(8));
		just.now += LIMITS.noiseWindowMs - 1;
		expect(kinds(just.hear(0x81, 0x44))).toEqual(['refused']);
	});

	test('counts from its last gap on', () => {
		const bench = new Bench().ready().hear(...noise(7));
		bench.now += LIMITS.noiseWindowMs;
		expect(kinds(bench.hear(...noise(7), 0x81, 0x44))).toEqual(['escrow']);
	});

	test('that goes on for long without one good answer is a wrong line', () => {
		const bench = new Bench().open().forget();
		for (let count = 1; count < LIMITS.garbledBytes; count += 1) later(bench, 600).hear(0xff);
		expect(states(bench)).not.toContain('garbled');
		expect(states(later(bench, 600).hear(0xff))).toEqual(['garbled']);
	});
});

describe('a pause of the process', () => {
	test('of 1.5 s is none; of more it is, until a quarter of a second after it', () => {
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

	test('goes on while the process comes back in jerks', () => {
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

	test('while the line was away is none', () => {
		const bench = new Bench();
		bench.now += 60_000;
		expect(kinds(bench.open().ask('enable').hear(0x81, 0x44))).toEqual(['escrow']);
	});
});

describe('02 as an answer to a power-up', () => {
	const greetings = (bench: Bench) => bench.written().filter((command) => command === 'synchronise').length;

	test('goes out once, at once, and not again', () => {
		const bench = new Bench().open().hear(0x80, 0x8f);
		expect(greetings(bench)).toBe(1);
		expect(greetings(calm(bench, 20_000))).toBe(1);
	});

	test('waits when a note may lie in escrow: until 6 s after its last sign', () => {
		for (const sign of [[0x81, 0x44], [0x44]]) {
			const bench = new Bench()
				.ready()
				.hear(...sign)
				.hear(0x80, 0x8f);
			expect(greetings(bench.wait(LIMITS.escrowOverMs))).toBe(0);
			expect(greetings(bench.wait(200))).toBe(1);
		}
	});

	test('after half a power-up waits 6 s from the first sign of it, whatever comes between', () => {
		const bench = new Bench().open().hear(0x80);
		bench.wait(3_000).hear(0x80).wait(3_000);
		expect(greetings(bench)).toBe(0);
		expect(greetings(bench.wait(200))).toBe(1);
	});

	test('a whole power-up seen once is enough, also when half of one follows', () => {
		const bench = new Bench().ready().hear(0x81, 0x44).hear(0x80, 0x8f).hear(0x80);
		expect(greetings(bench.wait(LIMITS.escrowOverMs + 200))).toBe(1);
	});

	test('a line that comes back begins the wait anew; one that never owed it does not', () => {
		const bench = new Bench().open().hear(0x80).wait(5_000);
		bench.do({ kind: 'lost', now: bench.now }).open();
		expect(greetings(bench.wait(LIMITS.escrowOverMs))).toBe(0);
		expect(greetings(bench.wait(200))).toBe(1);
		expect(greetings(calm(new Bench().open(), 20_000))).toBe(0);
	});

	test('is not owed any more once the unit says that it is enabled; inhibited proves nothing', () => {
		expect(greetings(new Bench().open().hear(0x80).hear(0x3e).wait(10_000))).toBe(0);
		expect(greetings(new Bench().open().hear(0x80).hear(0x5e).wait(10_000))).toBe(1);
	});

	test('a communication failure may be a unit that waits for it; another fault is not', () => {
		expect(
			greetings(
				new Bench()
					.ready()
					.hear(0x26)
					.wait(LIMITS.escrowOverMs + 400),
			),
		).toBe(1);
		expect(
			greetings(
				new Bench()
					.ready()
					.hear(0x22)
					.wait(LIMITS.escrowOverMs + 400),
			),
		).toBe(0);
	});

	test('while it is owed the unit is not silent but waiting', () => {
		expect(states(new Bench().open().hear(0x80).forget().wait(5_000))).not.toContain('silent');
	});
});

describe('polling', () => {
	const polls = (bench: Bench) => bench.written().filter((command) => command === 'poll').length;

	test('every 300 ms while enabled, every 600 ms while not, and never on a line that is away', () => {
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

	test('a unit that never answered is starting, then silent; one that answered is what it says', () => {
		const bench = new Bench().open();
		expect(states(bench)).toEqual(['starting']);
		expect(states(bench.wait(600 * 5))).toEqual(['starting']);
		expect(states(bench.wait(1_200))).toEqual(['starting', 'silent']);
	});

	test('after a reset the unit may be quiet for 15 s, and hears the switch again', () => {
		const bench = new Bench().ready().ask('reset');
		expect(bench.written()).toEqual(expect.arrayContaining(['reset', 'enable']));
		expect(states(bench.forget().wait(14_000))).not.toContain('silent');
		expect(states(bench.wait(4_000))).toContain('silent');
	});

	test('a unit that says the other thing is told once per answer, one that agrees is not', () => {
		const bench = calm(new Bench().ready(), 3_000);
		expect(bench.written()).not.toContain('enable');
		expect(new Bench().ready().wait(700, 0x5e).written()).toContain('enable');
		const early = new Bench().open().ask('enable').forget().wait(2_000);
		expect(early.written()).not.toContain('enable');
	});

	test('ready only when the unit itself says so after we did', () => {
		const bench = new Bench().open().hear(0x3e);
		expect(states(bench).at(-1)).toBe('inhibited');
		bench.ask('enable');
		expect(states(bench).at(-1)).not.toBe('silent');
		expect(states(bench.ask('inhibit')).at(-1)).toBe('inhibited');
	});
});

describe('reset', () => {
	const isReset = (bench: Bench) => bench.forget().ask('reset').written().includes('reset');

	test('waits until no note can be in escrow, and until a note on its way has settled', () => {
		expect(isReset(new Bench().ready())).toBe(true);
		expect(isReset(inEscrow())).toBe(false);
		expect(isReset(new Bench().ready().hear(0xa1))).toBe(true);
		expect(isReset(calm(inEscrow().ask('reject'), 1_000))).toBe(false);
		expect(isReset(calm(inEscrow().ask('reject'), LIMITS.escrowOverMs + 100))).toBe(true);
		expect(isReset(calm(accepted(), LIMITS.outcomeMs))).toBe(false);
	});

	test('a note that is in doubt does not keep a jammed unit from it, and nothing late settles it then', () => {
		const bench = calm(accepted(), LIMITS.outcomeMs + 100);
		expect(isReset(bench)).toBe(true);
		expect(money(bench.forget().hear(0x10))).toEqual([stacked(false, null, false)]);
	});
});

test('everything that is heard is told to the log, in order', () => {
	const heard = new Bench()
		.ready()
		.hear(0x22, 0x2f, 0xff)
		.effects.flatMap((effect) => (effect.kind === 'heard' ? [effect.meaning.kind] : []));
	expect(heard).toEqual(['fault', 'fault_cleared', 'discarded']);
});

describe('02, to the last case', () => {
	const greetings = (bench: Bench) => bench.written().filter((command) => command === 'synchronise').length;

	test('a unit that says that nobody has greeted it is greeted when no note can be in escrow', () => {
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

	test('a communication failure is no whole power-up: it waits', () => {
		expect(
			greetings(
				new Bench()
					.ready()
					.hear(0x26)
					.wait(LIMITS.escrowOverMs - 400),
			),
		).toBe(0);
	});

	test('half a power-up behind a whole one does not make it wait longer', () => {
		const bench = inEscrow().wait(3_000, 0x71).hear(0x80, 0x8f).hear(0x80).wait(3_300);
		expect(greetings(bench)).toBe(1);
	});
});

test('a note that went back a moment ago still keeps a reset away, until its escrow must be over', () => {
	const bench = new Bench().ready().hear(0x81, 0x44, 0x29).forget();
	expect(bench.ask('reset').written()).not.toContain('reset');
	expect(calm(bench, LIMITS.escrowOverMs).forget().ask('reset').written()).toContain('reset');
});
