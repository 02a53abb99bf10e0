/**
 * Availability of a terminal: results of echo tests, requests that wait for an echo test, and
 * terminals without echo tests.
 */

import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { ACK, answer, NAK, refusal } from '../../../../tests/integration/card-line/frames.ts';
import type { TerminalRequest } from '../terminal.ts';
import { BcaFixture, SALE } from './bca-machine.fixture.ts';
import { ECR_DEFAULTS, LATE_ACK_MS } from './bca-state.ts';

const ECHO = answer({ type: '17', amount: 0 });
const VOID: TerminalRequest = { type: 'void', amount: rupiah(137_500), invoice: '21' };
const { ackMs, answerMs, echoMs, freshMs, probeAgainMs, probeIdleMs, restMs, resendMs } = ECR_DEFAULTS;
/** If the terminal has sent nothing for this long, a request waits for an echo test. */
const STALE_MS = freshMs + 100;

const opened = () => new BcaFixture({ probe: 'echo' }).wait(200);
/** A terminal after its first answered echo test, with `effects` cleared. */
const ready = () => opened().hear(ACK, ECHO).forget();

describe('the result of an echo test', () => {
	test.each<[string, (terminal: BcaFixture) => BcaFixture, string]>([
		['after an answer without ACK the terminal is ready', (terminal) => terminal.hear(ECHO), 'ready'],
		['after a refusal of the echo test the terminal is ready', (terminal) => terminal.hear(ACK, refusal('12', 'zeros', '17')), 'ready'],
		['after NAK to an echo test the terminal is ready', (terminal) => terminal.hear(NAK).wait(resendMs), 'ready'],
		['after ACK without an answer the terminal is ready', (terminal) => terminal.hear(ACK).wait(echoMs), 'ready'],
		['without any reply the terminal is silent', (terminal) => terminal.wait(ackMs), 'silent'],
		['after meaningless bytes the terminal is silent', (terminal) => terminal.hear(0xff, 0x00).wait(ackMs), 'silent'],
		['after a NAK among noise the terminal is silent', (terminal) => terminal.hear(0xff, NAK).wait(ackMs), 'silent'],
	])('%s', (_what, happens, state) => {
		expect(happens(opened()).states).toEqual(['starting', state]);
	});

	test('an echo test is not sent again after NAK', () => {
		expect(opened().hear(NAK).wait(10_000).written).toEqual(['17']);
	});

	test('a terminal that was switched off and on becomes ready without a request', () => {
		const terminal = ready().wait(probeIdleMs);
		expect(terminal.written).toEqual(['17']);
		expect(terminal.wait(ackMs).states).toEqual(['silent']);
		expect(terminal.forget().wait(probeAgainMs).written).toEqual(['17']);
		expect(terminal.hear(ACK, ECHO).states).toEqual(['ready']);
	});

	test('an echo test is not reported to the screen and never runs during a request', () => {
		const terminal = ready().wait(probeIdleMs).hear(ACK, ECHO);
		expect(terminal.states).toEqual([]);
		expect(terminal.acked('s1').wait(answerMs - 1_000).written).toEqual([]);
	});

	test('a reconnected terminal gets an echo test, even if the outcome of an earlier void was never recorded', () => {
		const terminal = ready()
			.acked('v1', VOID)
			.hear(answer({ type: '08' }));
		expect(terminal.reports).toEqual(['answer v1 00']);
		terminal.lose().forget().reopen();
		expect(terminal.wait(answerMs - 1_000).written).toEqual([]);
		expect(terminal.wait(probeAgainMs).written).toEqual(['17']);
		expect(terminal.hear(ACK, ECHO).states.at(-1)).toBe('ready');
	});

	test('no echo test is sent while a sale of the previous run may still be running', () => {
		const terminal = new BcaFixture({ probe: 'echo' }).lose();
		terminal.state = { ...terminal.state, quietUntil: terminal.now + answerMs };
		terminal.forget().reopen();
		expect([terminal.wait(answerMs - 100).written, terminal.wait(100).written]).toEqual([[], ['17']]);
	});

	test('many echo tests do not displace a remembered answer about money', () => {
		const terminal = ready();
		terminal.wait(probeIdleMs).hear(ECHO);
		terminal.wait(3_000).acked('s1').hear(answer()).acknowledge();
		for (let minute = 10; minute < 40; minute += 1)
			terminal.wait(probeIdleMs).hear(answer({ type: '17', amount: 0, time: `202611201${minute % 10}${minute}00` }));
		expect(terminal.forget().hear(answer()).written).toEqual(['ack']);
		expect(terminal.reports).toEqual([]);
	});
});

describe('a request that moves money', () => {
	test.each([SALE, VOID, { type: 'settlement' } as const])('a $type waits for an echo test if the terminal was quiet', (request) => {
		const terminal = ready().wait(STALE_MS).ask('s1', request);
		expect([terminal.written, terminal.states]).toEqual([['17'], ['busy']]);
		terminal.hear(ACK, ECHO).wait(restMs - 100);
		expect(terminal.written).toEqual(['17', 'ack']);
		expect(terminal.wait(100).written).toHaveLength(3);
		expect(terminal.hear(ACK).reports).toEqual(['acked s1']);
	});

	test('a request withdrawn during the echo test is never sent, but a withdrawal after the request was sent changes nothing', () => {
		const terminal = ready().wait(STALE_MS).ask('s1');
		terminal.withdraw('another').withdraw('s1');
		expect(terminal.reports).toEqual(['not_begun s1']);
		terminal.hear(ACK, ECHO).wait(restMs);
		expect(terminal.written).toEqual(['17', 'ack']);
		expect(terminal.forget().ask('s2').withdraw('s2').hear(ACK).reports).toEqual(['acked s2']);
	});

	test('a request is not begun if the terminal does not answer the echo test', () => {
		const terminal = ready().wait(STALE_MS).ask('s1').wait(ackMs);
		expect([terminal.written, terminal.reports, terminal.states]).toEqual([['17'], ['not_begun s1'], ['busy', 'silent']]);
	});

	test('a request is not begun if the line closes during the echo test', () => {
		const terminal = ready().wait(STALE_MS).ask('s1').lose();
		expect([terminal.written, terminal.reports]).toEqual([['17'], ['not_begun s1']]);
		expect(terminal.forget().reopen().wait(60_000).reports).toEqual([]);
	});

	test('a request is sent at once after a recent answer, but waits for an echo test in flight', () => {
		expect(ready().wait(freshMs).ask('s1').written).toEqual(['01']);
		const terminal = ready().wait(probeIdleMs).ask('s1').hear(ACK, ECHO).wait(restMs);
		expect(terminal.written).toEqual(['17', 'ack', '01']);
	});

	test('a request is sent if the terminal only acknowledged the echo test or refused it with NAK', () => {
		const acks = ready().wait(STALE_MS).ask('s1').hear(ACK).wait(echoMs);
		expect(acks.written).toEqual(['17', '01']);
		const refuses = ready().wait(STALE_MS).ask('s1').hear(NAK).wait(resendMs);
		expect(refuses.written).toEqual(['17', '01']);
	});

	test('a second request throws an error, even while the first one waits for the echo test', () => {
		const terminal = ready().wait(STALE_MS).ask('s1');
		expect(() => terminal.ask('s2')).toThrow('request s2 while s1 is open');
	});

	test('a terminal that refused every send of a request counts as silent until it answers an echo test; a NAK to the next echo test is not enough', () => {
		const terminal = ready().ask('s1');
		for (let sends = 0; sends < 3; sends += 1) terminal.hear(NAK).wait(resendMs);
		expect([terminal.reports, terminal.states]).toEqual([['not_begun s1'], ['busy', 'silent']]);
		expect(terminal.wait(probeIdleMs).hear(NAK).states.at(-1)).toBe('silent');
		expect(terminal.hear(ACK, ECHO).states.at(-1)).toBe('ready');
	});
});

describe('a terminal without echo tests', () => {
	const unanswered = () => new BcaFixture().ask('s1').wait(ackMs).forget();

	test('if the terminal never sent a byte, the sale is not begun and the terminal is ready again after a minute', () => {
		const terminal = new BcaFixture().ask('s1').wait(ackMs);
		expect([terminal.written, terminal.reports, terminal.states]).toEqual([['01'], ['not_begun s1'], ['ready', 'busy', 'silent']]);
		expect(terminal.forget().wait(probeIdleMs).states).toEqual(['ready']);
	});

	test.each<[string, (terminal: BcaFixture) => BcaFixture]>([
		['the terminal has sent bytes since the line opened', (terminal) => terminal.met().ask('s1')],
		['a byte has come since the request', (terminal) => terminal.ask('s1').hear(0xff)],
		['the process stalled after the request', (terminal) => terminal.ask('s1').stall(2_000)],
		['the line closed', (terminal) => terminal.ask('s1').lose()],
		['the request is not a sale', (terminal) => terminal.ask('s1', VOID)],
	])('the outcome of the request is unknown when %s', (_what, happens) => {
		expect(happens(new BcaFixture()).wait(ackMs).reports).toEqual(['silent s1']);
	});

	test('if the terminal sent bytes only before its line was reopened, the sale is not begun', () => {
		expect(new BcaFixture().met().lose().reopen().ask('s1').wait(ackMs).reports).toEqual(['not_begun s1']);
	});

	test('after a late ACK the sale counts as begun, and the next answer belongs to it', () => {
		const terminal = unanswered().wait(30_000).hear(ACK);
		expect(terminal.reports).toEqual(['acked s1']);
		expect(terminal.hear(ACK, answer()).reports).toEqual(['acked s1', 'answer s1 00']);
	});

	test('an approval without any ACK belongs to the sale, even hours later', () => {
		expect(unanswered().wait(7_200_000).hear(answer()).reports).toEqual(['answer s1 00']);
	});

	test.each<[string, (terminal: BcaFixture) => BcaFixture]>([
		['that comes more than 15 minutes late', (terminal) => terminal.wait(LATE_ACK_MS + 100).hear(ACK)],
		['among noise, as when a terminal is switched on,', (terminal) => terminal.hear(0xff, ACK)],
	])('an ACK %s is ignored', (_what, happens) => {
		expect(happens(unanswered()).reports).toEqual([]);
	});
});

describe('the terminal’s clock', () => {
	const begun = (terminal: BcaFixture) => terminal.ask('s1').begun;

	test('the terminal’s clock is the time in the last echo test plus the time since that test plus one second', () => {
		const terminal = opened().wait(2_000).hear(ACK, ECHO).forget().wait(3_000);
		expect(begun(terminal)).toEqual([Date.UTC(2026, 10, 20, 10, 15, 6) + 200]);
	});

	test.each<[string, (terminal: BcaFixture) => BcaFixture]>([
		['the terminal never reported it', () => new BcaFixture()],
		['the answer to the echo test has no time', () => opened().hear(ACK, answer({ type: '17', amount: 0, time: ' '.repeat(14) }))],
		[
			'only an answer to a sale reported it, because such an answer may be old',
			() => new BcaFixture().acked('s0').hear(answer()).acknowledge(),
		],
	])('the terminal’s clock is unknown if %s', (_what, happens) => {
		expect(begun(happens(new BcaFixture()).forget())).toEqual([null]);
	});

	test('the terminal’s clock is unknown if the last echo test is more than five minutes old', () => {
		const terminal = new BcaFixture().acked('e1', { type: 'echo' }).hear(ECHO).acknowledge();
		terminal.wait(5 * 60_000 - 1_000).forget();
		expect(begun(terminal)).not.toEqual([null]);
		const later = new BcaFixture().acked('e1', { type: 'echo' }).hear(ECHO).acknowledge();
		expect(begun(later.wait(5 * 60_000 + 100).forget())).toEqual([null]);
	});
});

test('if a sale and a later echo test got no byte, a late ACK still makes the sale unknown', () => {
	const terminal = new BcaFixture();
	terminal.ask('s1', SALE).wait(ECR_DEFAULTS.ackMs + 100);
	expect(terminal.reports).toEqual(['not_begun s1']);
	terminal
		.ask('staff', { type: 'echo' })
		.wait(ECR_DEFAULTS.ackMs + 100)
		.forget();
	expect(terminal.hear(ACK).reports).toEqual(['acked s1']);
});

test('two sales that the network delivers late are both unknown after their ACKs', () => {
	const terminal = new BcaFixture();
	terminal.ask('s1', SALE).wait(ECR_DEFAULTS.ackMs + 100);
	terminal
		.wait(ECR_DEFAULTS.probeIdleMs + 1_000)
		.ask('s2', SALE)
		.wait(ECR_DEFAULTS.ackMs + 100);
	expect(terminal.reports).toEqual(['not_begun s1', 'not_begun s2']);
	terminal.forget().hear(ACK).wait(500).hear(ACK);
	expect(terminal.reports.toSorted()).toEqual(['acked s1', 'acked s2']);
});
