/** The machine at its limits: how long each wait is, what ends it, and what it says when it does. */
import { describe, expect, test } from 'vitest';
import type { AcceptorCommand, AcceptorReport } from '../driver.ts';
import { LIMITS } from './machine.ts';
import { Bench, money, states } from './test-bench.ts';

const stacked = (late: boolean, code: string | null = '0x44', accepted = true): AcceptorReport => ({
	kind: 'stacked',
	accepted,
	late,
	code,
});
const kinds = (bench: Bench) => money(bench).map(({ kind }) => kind);
const inEscrow = () => new Bench().ready().hear(0x81, 0x44).forget();
const accepted = () => new Bench().ready().hear(0x81, 0x44).ask('accept').forget();
/** Time passes without a tick in between that could count as a pause of the process. */
const later = (bench: Bench, ms: number): Bench => {
	bench.now += ms;
	return bench.do({ kind: 'tick', now: bench.now });
};
/** Time passes, the unit answers every poll. */
const calm = (bench: Bench, ms: number): Bench => bench.wait(ms, 0x3e);

describe('an accepted note', () => {
	test('is waited for exactly as long as its limit, and then said to be missing, and why', () => {
		expect(kinds(calm(accepted(), LIMITS.outcomeMs))).toEqual([]);
		expect(money(calm(accepted(), LIMITS.outcomeMs + 100))).toEqual([
			{ kind: 'outcome_missing', why: 'the acceptor did not say within 15000 ms what became of the note' },
		]);
	});

	test.each<[string, (bench: Bench) => Bench, string]>([
		['the unit restarts', (bench) => bench.hear(0x80, 0x8f), 'the acceptor restarted while it stacked the note'],
		['another note comes', (bench) => later(bench, 3_000).hear(0x81, 0x44), 'another note came before the outcome of this one'],
		['another type comes at once', (bench) => bench.hear(0x81, 0x45), 'another note came before the outcome of this one'],
		[
			'the line is lost and it comes back',
			(bench) => bench.do({ kind: 'lost', now: bench.now }).open().hear(0x11),
			'a note came back, but perhaps not this one',
		],
		[
			'noise says that it is in',
			(bench) => bench.hear(...Array<number>(32).fill(0xff), 0x10),
			'the outcome was heard in the middle of line noise',
		],
	])('is in doubt when %s', (_what, happens, why) => {
		expect(money(happens(accepted()))[0]).toEqual({ kind: 'outcome_missing', why });
	});

	test('is believed to be in although there was some noise', () => {
		expect(money(accepted().hear(...Array<number>(31).fill(0xff), 0x10))).toEqual([stacked(false)]);
	});

	test('that is overdue is not missing a second time: not in noise, not when the unit restarts', () => {
		const overdue = () => calm(accepted(), LIMITS.outcomeMs + 100).forget();
		expect(money(overdue().hear(...Array<number>(32).fill(0xff), 0x10))).toEqual([]);
		expect(money(overdue().hear(0x80, 0x8f))).toEqual([]);
		expect(money(calm(overdue(), 60_000))).toEqual([]);
	});

	test('that comes back late, heard on a line that was never away, is back', () => {
		expect(
			money(
				calm(accepted(), LIMITS.outcomeMs + 100)
					.forget()
					.hear(0x11),
			),
		).toEqual([{ kind: 'returned', accepted: true }]);
	});

	test('named once is back at any time; named again and back within an escrow, too', () => {
		expect(money(calm(accepted(), 7_000).hear(0x11))).toEqual([{ kind: 'returned', accepted: true }]);
		const named = later(accepted(), 1_000).hear(0x81, 0x44);
		expect(money(calm(named, 4_900).hear(0x11))).toEqual([{ kind: 'returned', accepted: true }]);
		const long = later(accepted(), 1_000).hear(0x81, 0x44);
		expect(kinds(calm(long, 5_200).hear(0x11))).toEqual(['outcome_missing']);
	});

	test('is still the same one when the unit names it until a moment before another could come', () => {
		expect(kinds(calm(accepted(), LIMITS.repeatMs).hear(0x81, 0x44))).toEqual([]);
		expect(kinds(calm(accepted(), LIMITS.repeatMs + 100).hear(0x81, 0x44))).toEqual(['outcome_missing', 'refused']);
	});

	test('that went overdue before the line was lost is kept, and still settled by a quiet 10', () => {
		const bench = calm(accepted(), LIMITS.outcomeMs + 100);
		bench.do({ kind: 'lost', now: bench.now }).open().forget();
		expect(money(bench.hear(0x10))).toEqual([stacked(true)]);
	});

	test('makes the machine patient: no silence is told and the line is left open while it is stacked', () => {
		const bench = accepted().wait(LIMITS.outcomeMs - 1_000);
		expect(states(bench)).toEqual([]);
		expect(bench.effects.some(({ kind }) => kind === 'reopen')).toBe(false);
	});

	test('with a broken escrow behind it is left alone', () => {
		const bench = accepted().hear(0x81, 0x00);
		expect([bench.written().includes('reject'), kinds(bench)]).toEqual([false, []]);
	});
});

describe('a note in escrow', () => {
	test('is decided on until 4 s, and after that it goes back', () => {
		const decided = (ms: number) => calm(inEscrow(), ms).forget().ask('accept').written();
		expect(decided(LIMITS.acceptMs)[0]).toBe('accept');
		expect(decided(LIMITS.acceptMs + 100)[0]).toBe('reject');
	});

	test('that nobody decided on is over after its time: the next one is a note of its own', () => {
		const decided = (ms: number) => calm(inEscrow(), ms).forget().ask('accept').written();
		expect([decided(LIMITS.escrowOverMs)[0], decided(LIMITS.escrowOverMs + 100)]).toEqual(['reject', []]);
		expect(
			money(
				calm(inEscrow(), LIMITS.escrowOverMs + 100)
					.forget()
					.hear(0x81, 0x44),
			),
		).toEqual([{ kind: 'escrow', code: '0x44' }]);
	});

	test('is gone when the line is lost: nothing is left to accept', () => {
		const bench = inEscrow();
		bench.do({ kind: 'lost', now: bench.now });
		expect(states(bench)).toEqual(['disconnected']);
		bench.open().forget().ask('accept');
		expect(bench.written()).not.toContain('accept');
	});

	test.each<[string, number[], string[]]>([
		['29 gives it back', [0x29], ['refused']],
		['it was pulled out of the slot', [0x23], []],
		['another bare type', [0x45], ['refused']],
		['its own bare type', [0x44], ['escrow']],
		['an escrow that is cut short', [0x81, 0x00], ['refused']],
	])('%s', (_what, bytes, expected) => {
		const bench = new Bench().ready().hear(0x81, 0x44, ...bytes);
		expect(kinds(bench)).toEqual(expected);
		bench.forget().ask('accept');
		expect(bench.written().includes('accept')).toBe(expected[0] === 'escrow');
	});

	test('said twice in two reads is offered twice, and taken once', () => {
		const bench = inEscrow().hear(0x81, 0x44).ask('accept').ask('accept');
		expect(bench.written().filter((command) => command === 'accept')).toHaveLength(1);
	});

	test('keeps the switch still: neither 3E nor 5E goes out while it waits', () => {
		const bench = inEscrow().ask('inhibit');
		expect(bench.written()).not.toContain('inhibit');
		bench.ask('reject').hear(0x11);
		expect(bench.written()).toContain('inhibit');
	});

	test.each(['reject', 'hold', 'accept'] as const)('%s without one is not said to the unit', (command: AcceptorCommand) => {
		expect(new Bench().ready().ask(command).written()).toEqual([]);
	});
});

describe('a note that is going back', () => {
	const rejected = () => inEscrow().ask('reject').forget();

	test('and is named again at once is told again to go; later it is a new one', () => {
		const again = calm(rejected(), LIMITS.repeatMs).forget().hear(0x81, 0x44);
		expect([again.written(), kinds(again)]).toEqual([['reject'], []]);
		expect(money(calm(rejected(), LIMITS.repeatMs + 100).hear(0x81, 0x44))).toEqual([{ kind: 'escrow', code: '0x44' }]);
	});

	test('after an unreadable one the type is kept for its return', () => {
		const bench = new Bench().ready().hear(0x81, 0x44, 0x81, 0x45).forget();
		expect(money(bench.hear(0x10))).toEqual([stacked(false, '0x44', false)]);
		expect(money(new Bench().ready().hear(0x44).forget().hear(0x10))).toEqual([stacked(false, '0x0', false)]);
	});

	test('may say 29 and 11, or nothing: neither is news', () => {
		expect(kinds(rejected().hear(0x29))).toEqual([]);
		expect(money(rejected().hear(0x11))).toEqual([{ kind: 'returned', accepted: false }]);
		expect(kinds(new Bench().ready().hear(0x11))).toEqual([]);
		expect(kinds(calm(rejected(), LIMITS.escrowOverMs + 100).hear(0x11))).toEqual([]);
	});

	test('of which the kiosk had said so late, and that falls in all the same, is nobody’s', () => {
		const bench = calm(inEscrow(), LIMITS.acceptMs + 100)
			.ask('accept')
			.forget();
		expect(money(bench.hear(0x10))).toEqual([stacked(false, '0x44', false)]);
	});
});

describe('10 without an accepted note', () => {
	const after = () => accepted().hear(0x10).forget();

	test('is the last one said again for 2.5 s, unless a new escrow came', () => {
		expect(kinds(calm(after(), LIMITS.repeatMs).hear(0x10))).toEqual([]);
		expect(kinds(calm(after(), LIMITS.repeatMs + 100).hear(0x10))).toEqual(['stacked']);
		const next = after();
		next.now += 100;
		expect(kinds(next.hear(0x81, 0x44).ask('reject').forget().hear(0x10))).toEqual(['stacked']);
	});
});

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
			const bench = later(new Bench().ready(), ms);
			bench.now += read;
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

describe('a word that is not about the note on its way', () => {
	test.each<[string, number]>([
		['29', 0x29],
		['another bare type', 0x45],
		['a note that was pulled out of the slot', 0x23],
		['a jam', 0x22],
		['busy', 0x71],
		['a command that the unit does not know', 0x2a],
	])('%s leaves an accepted one as it is', (_what, byte) => {
		const bench = accepted().hear(byte);
		expect([kinds(bench), bench.written().includes('reject')]).toEqual([[], false]);
		expect(money(bench.hear(0x10))).toEqual([stacked(false)]);
	});

	test.each<[string, number]>([
		['busy', 0x71],
		['a command that the unit does not know', 0x2a],
		['a letter', 0x44],
	])('%s leaves the line and an idle unit as they are', (_what, byte) => {
		const bench = new Bench().open().wait(700, 0x5e).forget().hear(byte);
		expect([bench.reports(), bench.written()]).toEqual([[], []]);
	});
});

test('what the machine gives back by itself is told with its reason', () => {
	expect(money(new Bench().ready().hear(0x29))).toEqual([{ kind: 'refused', reason: 'rejected_by_machine' }]);
	expect(money(new Bench().ready().hear(0x81, 0x00))).toEqual([{ kind: 'refused', reason: 'unreadable' }]);
	expect(money(new Bench().ready().hear(0x81, 0x44).hear(0x45)).at(-1)).toEqual({ kind: 'refused', reason: 'unreadable' });
	expect(money(accepted().hear(0x81, 0x45)).at(-1)).toEqual({ kind: 'refused', reason: 'unreadable' });
});

test('a note that is taken in time is no return', () => {
	expect(money(calm(inEscrow(), LIMITS.acceptMs).forget().ask('accept'))).toEqual([]);
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
