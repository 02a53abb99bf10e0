/**
 * Availability of a terminal: results of echo tests, requests that wait for them, and terminals
 * without them.
 */

import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { ACK, answer, NAK, refusal } from '../../../../tests/integration/card-line/frames.ts';
import type { TerminalRequest } from '../terminal.ts';
import { Bench, SALE } from './bca-machine.fixture.ts';
import { ECR_DEFAULTS, LATE_ACK_MS } from './bca-state.ts';

const ECHO = answer({ type: '17', amount: 0 });
const VOID: TerminalRequest = { type: 'void', amount: rupiah(137_500), invoice: '21' };
const { ackMs, answerMs, echoMs, freshMs, probeAgainMs, probeIdleMs, restMs, resendMs } = ECR_DEFAULTS;
/** After this time without a byte a request waits for an echo test. */
const STALE_MS = freshMs + 100;

const opened = () => new Bench({ probe: 'echo' }).wait(200);
/** A bench after its first answered echo test, with `effects` cleared. */
const ready = () => opened().hear(ACK, ECHO).forget();

describe('the result of an echo test', () => {
	test.each<[string, (bench: Bench) => Bench, string]>([
		['an answer without ACK: the terminal is ready', (bench) => bench.hear(ECHO), 'ready'],
		['a refusal of the test: the terminal is ready', (bench) => bench.hear(ACK, refusal('12', 'zeros', '17')), 'ready'],
		['NAK: the terminal knows no echo test, but is ready', (bench) => bench.hear(NAK).wait(resendMs), 'ready'],
		['ACK and no answer: the terminal is ready', (bench) => bench.hear(ACK).wait(echoMs), 'ready'],
		['nothing: the terminal is silent', (bench) => bench.wait(ackMs), 'silent'],
		['meaningless bytes: the terminal is silent', (bench) => bench.hear(0xff, 0x00).wait(ackMs), 'silent'],
		['a NAK among noise: the terminal is silent', (bench) => bench.hear(0xff, NAK).wait(ackMs), 'silent'],
	])('%s', (_what, happens, state) => {
		expect(happens(opened()).states).toEqual(['starting', state]);
	});

	test('NAK is not retried', () => {
		expect(opened().hear(NAK).wait(10_000).written).toEqual(['17']);
	});

	test('a terminal switched off and on again becomes ready by itself', () => {
		const bench = ready().wait(probeIdleMs);
		expect(bench.written).toEqual(['17']);
		expect(bench.wait(ackMs).states).toEqual(['silent']);
		expect(bench.forget().wait(probeAgainMs).written).toEqual(['17']);
		expect(bench.hear(ACK, ECHO).states).toEqual(['ready']);
	});

	test('an echo test is not reported to the screen and never runs during a request', () => {
		const bench = ready().wait(probeIdleMs).hear(ACK, ECHO);
		expect(bench.states).toEqual([]);
		expect(bench.acked('s1').wait(answerMs - 1_000).written).toEqual([]);
	});

	test('a reconnected terminal is tested, although the outcome of an earlier void was never recorded', () => {
		const bench = ready()
			.acked('v1', VOID)
			.hear(answer({ type: '08' }));
		expect(bench.reports).toEqual(['answer v1 00']);
		bench.lose().forget().reopen();
		expect(bench.wait(answerMs - 1_000).written).toEqual([]);
		expect(bench.wait(probeAgainMs).written).toEqual(['17']);
		expect(bench.hear(ACK, ECHO).states.at(-1)).toBe('ready');
	});

	test('no echo test is sent while a sale of the previous run may still be running', () => {
		const bench = new Bench({ probe: 'echo' }).lose();
		bench.state = { ...bench.state, quietUntil: bench.now + answerMs };
		bench.forget().reopen();
		expect([bench.wait(answerMs - 100).written, bench.wait(100).written]).toEqual([[], ['17']]);
	});

	test('hundreds of tests remove no answer about money from memory', () => {
		const bench = ready();
		bench.wait(probeIdleMs).hear(ECHO);
		bench.wait(3_000).acked('s1').hear(answer()).acknowledge();
		for (let minute = 10; minute < 40; minute += 1)
			bench.wait(probeIdleMs).hear(answer({ type: '17', amount: 0, time: `202611201${minute % 10}${minute}00` }));
		expect(bench.forget().hear(answer()).written).toEqual(['ack']);
		expect(bench.reports).toEqual([]);
	});
});

describe('a request that moves money', () => {
	test.each([SALE, VOID, { type: 'settlement' } as const])('waits for an echo test when the terminal was quiet: $type', (request) => {
		const bench = ready().wait(STALE_MS).ask('s1', request);
		expect([bench.written, bench.states]).toEqual([['17'], ['busy']]);
		bench.hear(ACK, ECHO).wait(restMs - 100);
		expect(bench.written).toEqual(['17', 'ack']);
		expect(bench.wait(100).written).toHaveLength(3);
		expect(bench.hear(ACK).reports).toEqual(['acked s1']);
	});

	test('is never sent when it is withdrawn during the echo test; a later withdrawal changes nothing', () => {
		const bench = ready().wait(STALE_MS).ask('s1');
		bench.withdraw('another').withdraw('s1');
		expect(bench.reports).toEqual(['not_begun s1']);
		bench.hear(ACK, ECHO).wait(restMs);
		expect(bench.written).toEqual(['17', 'ack']);
		expect(bench.forget().ask('s2').withdraw('s2').hear(ACK).reports).toEqual(['acked s2']);
	});

	test('is not begun when the terminal was switched off and does not answer the echo test', () => {
		const bench = ready().wait(STALE_MS).ask('s1').wait(ackMs);
		expect([bench.written, bench.reports, bench.states]).toEqual([['17'], ['not_begun s1'], ['busy', 'silent']]);
	});

	test('is not begun when the line closes before the test ends', () => {
		const bench = ready().wait(STALE_MS).ask('s1').lose();
		expect([bench.written, bench.reports]).toEqual([['17'], ['not_begun s1']]);
		expect(bench.forget().reopen().wait(60_000).reports).toEqual([]);
	});

	test('is sent at once when the terminal has answered recently, and waits for an echo test in flight', () => {
		expect(ready().wait(freshMs).ask('s1').written).toEqual(['01']);
		const bench = ready().wait(probeIdleMs).ask('s1').hear(ACK, ECHO).wait(restMs);
		expect(bench.written).toEqual(['17', 'ack', '01']);
	});

	test('is sent if the terminal only acknowledged the echo test, or refused it', () => {
		const acks = ready().wait(STALE_MS).ask('s1').hear(ACK).wait(echoMs);
		expect(acks.written).toEqual(['17', '01']);
		const refuses = ready().wait(STALE_MS).ask('s1').hear(NAK).wait(resendMs);
		expect(refuses.written).toEqual(['17', '01']);
	});

	test('must be the only request, even while it waits for the test', () => {
		const bench = ready().wait(STALE_MS).ask('s1');
		expect(() => bench.ask('s2')).toThrow('request s2 while s1 is open');
	});

	test('that the terminal refuses every time makes the terminal unavailable for a minute, regardless of its answers to echo tests', () => {
		const bench = ready().ask('s1');
		for (let sends = 0; sends < 3; sends += 1) bench.hear(NAK).wait(resendMs);
		expect([bench.reports, bench.states]).toEqual([['not_begun s1'], ['busy', 'silent']]);
		expect(bench.wait(probeIdleMs).hear(NAK).states.at(-1)).toBe('silent');
		expect(bench.hear(ACK, ECHO).states.at(-1)).toBe('ready');
	});
});

describe('a terminal without echo tests', () => {
	const unanswered = () => new Bench().ask('s1').wait(ackMs).forget();

	test('a terminal without echo tests that never sent a byte: the sale is not begun, and the screen offers the terminal again after a minute', () => {
		const bench = new Bench().ask('s1').wait(ackMs);
		expect([bench.written, bench.reports, bench.states]).toEqual([['01'], ['not_begun s1'], ['ready', 'busy', 'silent']]);
		expect(bench.forget().wait(probeIdleMs).states).toEqual(['ready']);
	});

	test.each<[string, (bench: Bench) => Bench]>([
		['the terminal has sent bytes since the line opened', (bench) => bench.met().ask('s1')],
		['a byte came since the request', (bench) => bench.ask('s1').hear(0xff)],
		['the process stalled after the request', (bench) => bench.ask('s1').stall(2_000)],
		['the line closed', (bench) => bench.ask('s1').lose()],
		['the request is not a sale', (bench) => bench.ask('s1', VOID)],
	])('the sale is unknown when %s', (_what, happens) => {
		expect(happens(new Bench()).wait(ackMs).reports).toEqual(['silent s1']);
	});

	test('a terminal without echo tests that sent bytes only before its line was reopened counts as silent', () => {
		expect(new Bench().met().lose().reopen().ask('s1').wait(ackMs).reports).toEqual(['not_begun s1']);
	});

	test('a late ACK: the sale has begun after all, and the next answer belongs to it', () => {
		const bench = unanswered().wait(30_000).hear(ACK);
		expect(bench.reports).toEqual(['acked s1']);
		expect(bench.hear(ACK, answer()).reports).toEqual(['acked s1', 'answer s1 00']);
	});

	test('an approval without any ACK belongs to the sale, even hours later', () => {
		expect(unanswered().wait(7_200_000).hear(answer()).reports).toEqual(['answer s1 00']);
	});

	test.each<[string, (bench: Bench) => Bench]>([
		['that comes later than any network delivers', (bench) => bench.wait(LATE_ACK_MS + 100).hear(ACK)],
		['among noise, as when a terminal is switched on,', (bench) => bench.hear(0xff, ACK)],
	])('an ACK %s is ignored', (_what, happens) => {
		expect(happens(unanswered()).reports).toEqual([]);
	});
});

describe('the terminal’s clock', () => {
	const begun = (bench: Bench) => bench.ask('s1').begun;

	test('is the time of the last echo test plus the time since it was sent, to the second', () => {
		const bench = opened().wait(2_000).hear(ACK, ECHO).forget().wait(3_000);
		expect(begun(bench)).toEqual([Date.UTC(2026, 10, 20, 10, 15, 6) + 200]);
	});

	test.each<[string, (bench: Bench) => Bench]>([
		['was never reported', () => new Bench()],
		['was reported without a time', () => opened().hear(ACK, answer({ type: '17', amount: 0, time: ' '.repeat(14) }))],
		['is only known from a slip, which may be old', () => new Bench().acked('s0').hear(answer()).acknowledge()],
	])('is not known when it %s', (_what, happens) => {
		expect(begun(happens(new Bench()).forget())).toEqual([null]);
	});

	test('is not known when the last echo test was too long ago', () => {
		const bench = new Bench().acked('e1', { type: 'echo' }).hear(ECHO).acknowledge();
		bench.wait(5 * 60_000 - 1_000).forget();
		expect(begun(bench)).not.toEqual([null]);
		const later = new Bench().acked('e1', { type: 'echo' }).hear(ECHO).acknowledge();
		expect(begun(later.wait(5 * 60_000 + 100).forget())).toEqual([null]);
	});
});
