/** Exact log entries and reports of the link's state machine, and its limits. */

import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { ACK, answer, NAK, refusal } from '../../../../tests/integration/card-line/frames.ts';
import type { TerminalRequest } from '../terminal.ts';
import { BcaFixture } from './bca-machine.fixture.ts';
import { COUNTS, ECR_DEFAULTS, STALL_MS } from './bca-state.ts';

const logged = (terminal: BcaFixture) => terminal.effects.flatMap((effect) => (effect.kind === 'log' ? [[effect.id, effect.fields]] : []));
const of = (terminal: BcaFixture, id: string) => logged(terminal).flatMap(([name, fields]) => (name === id ? [fields] : []));
const whys = (terminal: BcaFixture) =>
	terminal.effects.flatMap((effect) => (effect.kind === 'report' && 'why' in effect.report ? [effect.report.why] : []));
const repeat = (times: number, act: () => void) => {
	for (let time = 0; time < times; time += 1) act();
};

describe('the log of a sale', () => {
	test('the log of a sale contains the request and the answer, but no card digits', () => {
		const terminal = new BcaFixture().forget().ask('s1').hear(ACK, answer());
		const [, fields] = logged(terminal).at(-1) ?? [];
		expect(logged(terminal)).toMatchObject([
			['edc.sent', { request_id: 's1', type: 'sale', amount: 137_500, send: 1 }],
			['edc.answer', expect.objectContaining({ request_id: 's1', type: 'sale', code: '00', meaning: 'approved', amount: 137_500 })],
		]);
		expect(Object.keys(fields ?? {}).sort()).toEqual(['amount', 'code', 'invoice', 'meaning', 'request_id', 'rrn', 'type']);
		terminal.forget().acknowledge().hear(answer());
		expect(of(terminal, 'edc.repeated')).toMatchObject([{ type: 'sale', code: '00' }]);
		expect(of(terminal, 'edc.odd_version')).toMatchObject([]);
	});

	test('an answer with a bank’s own code is logged as a code of the bank', () => {
		const terminal = new BcaFixture().acked('s1').hear(refusal('05'));
		expect(of(terminal, 'edc.answer')).toMatchObject([{ meaning: 'declined with a code of the bank' }]);
	});

	test('a request without an amount is logged without an amount', () => {
		expect(of(new BcaFixture().ask('e1', { type: 'echo' }), 'edc.sent')).toMatchObject([
			{ request_id: 'e1', type: 'echo', amount: undefined, send: 1 },
		]);
	});

	test('each NAK to a sale is logged, and after three NAKs the sale is given up', () => {
		const terminal = new BcaFixture().forget().ask('s1');
		repeat(COUNTS.sends, () => terminal.hear(NAK).wait(ECR_DEFAULTS.resendMs));
		expect(of(terminal, 'edc.sent').map((fields) => (fields as { send: number }).send)).toMatchObject([1, 2, 3]);
		expect(of(terminal, 'edc.refused')).toMatchObject([1, 2, 3].map((send) => ({ request_id: 's1', type: 'sale', send })));
		expect([whys(terminal), terminal.states]).toEqual([['the terminal refused the request 3 times'], ['busy', 'silent']]);
		expect(terminal.wait(ECR_DEFAULTS.probeIdleMs).forget().ask('s2').written).toEqual(['01']);
	});

	test('if no byte has come since the line opened, the sale is not begun and the reason is logged', () => {
		const terminal = new BcaFixture().ask('s1').wait(ECR_DEFAULTS.ackMs);
		const why = 'the terminal does not answer: not a byte since its line opened, no ACK within 5000 ms';
		expect([terminal.reports, whys(terminal)]).toEqual([['not_begun s1'], [why]]);
		expect(of(terminal, 'edc.unanswered')).toEqual([{ request_id: 's1', type: 'sale', why }]);
		expect(of(terminal, 'edc.silent')).toEqual([]);
	});

	test.each<[string, (terminal: BcaFixture) => BcaFixture, string]>([
		['no ACK', (terminal) => terminal.ask('s1').wait(ECR_DEFAULTS.ackMs), 'no ACK within 5000 ms'],
		['no answer', (terminal) => terminal.acked('s1').wait(ECR_DEFAULTS.answerMs), 'no answer within 125000 ms'],
		['no answer to an echo', (terminal) => terminal.acked('s1', { type: 'echo' }).wait(ECR_DEFAULTS.echoMs), 'no answer within 30000 ms'],
		['a lost line', (terminal) => terminal.acked('s1').lose(), 'the line was lost: cable'],
	])('%s is logged as silence with the reason', (_what, happens, why) => {
		const terminal = happens(new BcaFixture().met());
		expect(whys(terminal)).toEqual([why]);
		expect(of(terminal, 'edc.silent')).toMatchObject([{ request_id: 's1', type: expect.any(String), why }]);
	});

	test.each<[string, () => BcaFixture, string]>([
		['the line is closed', () => new BcaFixture().lose(), 'the line to the terminal is not open'],
		['the terminal is being tested', () => new BcaFixture({ probe: 'echo' }).wait(200), 'the terminal has not answered its echo test'],
	])('a sale is reported as not begun because %s', (_what, start, why) => {
		const terminal = start().forget().ask('s1');
		expect(whys(terminal)).toEqual([why]);
		expect(terminal.written).toEqual([]);
	});

	test('the driver’s own echo tests are not logged', () => {
		const terminal = new BcaFixture({ probe: 'echo' }).wait(200);
		repeat(COUNTS.sends, () => terminal.hear(NAK).wait(ECR_DEFAULTS.resendMs));
		terminal.wait(ECR_DEFAULTS.probeAgainMs + ECR_DEFAULTS.ackMs);
		expect([logged(terminal), terminal.reports]).toEqual([[], []]);
	});

	test('the log contains the reason for a damaged answer and the number of meaningless bytes, but never the bytes', () => {
		const terminal = new BcaFixture().acked('s1');
		const damaged = [...answer().slice(0, -1), 0x7f];
		repeat(COUNTS.naks + 1, () => terminal.hear(damaged));
		expect(logged(terminal)).toMatchObject([
			...Array.from({ length: COUNTS.naks }, () => ['edc.damaged', { why: 'the LRC is wrong' }]),
			['edc.discarded', { why: 'the LRC is wrong' }],
		]);
		expect(logged(new BcaFixture().forget().hear(0xff, 0xff))).toEqual([['edc.discarded', { bytes: 2 }]]);
	});

	test('an incomplete answer, and at least 100 bytes without a header, are logged with their length', () => {
		const half = new BcaFixture().acked('s1').hear(answer().slice(0, 150)).wait(ECR_DEFAULTS.halfFrameMs);
		expect(of(half, 'edc.damaged')).toMatchObject([{ why: 'the answer broke off after 150 bytes' }]);
		const headless = (bytes: number) => new BcaFixture().acked('s1').hear(Array<number>(bytes).fill(0x20)).wait(ECR_DEFAULTS.halfFrameMs);
		expect(of(headless(COUNTS.lostFrameBytes), 'edc.damaged')).toMatchObject([{ why: '100 bytes without the beginning of an answer' }]);
		expect(of(headless(COUNTS.lostFrameBytes - 1), 'edc.damaged')).toMatchObject([]);
	});
});

describe('an answer', () => {
	test('two parts of an answer that come less than a second apart form one answer', () => {
		const terminal = new BcaFixture()
			.acked('s1')
			.wait(5_000)
			.hear(answer().slice(0, 90))
			.wait(ECR_DEFAULTS.halfFrameMs - 100);
		expect(terminal.hear(answer().slice(90)).reports).toEqual(['answer s1 00']);
	});

	test('a damaged answer is not requested again if a valid answer is in the same read', () => {
		const damaged = [...answer().slice(0, -1), 0x7f];
		expect(new BcaFixture().acked('s1').hear(damaged, answer()).written).toEqual([]);
	});

	test('an unrequested answer that is repeated before it is on disk is reported once', () => {
		const terminal = new BcaFixture().forget().hear(answer()).hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['answer null 00'], []]);
	});

	test('an answer is not acknowledged while the line is closed', () => {
		const terminal = new BcaFixture().acked('s1').hear(answer()).lose().forget();
		expect(terminal.acknowledge().written).toEqual([]);
	});

	test('the answer to the driver’s own echo test is acknowledged at once', () => {
		const terminal = new BcaFixture({ probe: 'echo' })
			.wait(200)
			.hear(ACK, answer({ type: '17', amount: 0 }))
			.forget();
		expect(terminal.acknowledge().written).toEqual([]);
	});

	test('a late answer belongs to the timed-out request of the same amount, and the other timed-out request still waits', () => {
		const other: TerminalRequest = { type: 'sale', amount: rupiah(1_000) };
		const terminal = new BcaFixture().acked('s1').wait(ECR_DEFAULTS.answerMs).acked('s2', other).wait(ECR_DEFAULTS.answerMs).forget();
		terminal.hear(answer({ amount: 1_000 }));
		expect(terminal.reports).toEqual(['answer s2 00']);
		expect(terminal.hear(answer()).reports).toEqual(['answer s2 00', 'answer s1 00']);
	});

	test('only the last 16 answers and the last 16 timed-out requests are remembered', () => {
		const terminal = new BcaFixture();
		repeat(COUNTS.remembered + 1, () => terminal.acked(`s${terminal.now}`).wait(ECR_DEFAULTS.answerMs));
		terminal.forget();
		for (let index = 0; index <= COUNTS.remembered; index += 1) terminal.hear(answer({ rrn: String(900_000 + index) }));
		expect(terminal.reports.filter((report) => report.startsWith('answer s'))).toHaveLength(COUNTS.remembered);
		terminal.forget().hear(answer({ rrn: '900000' }));
		expect(terminal.reports).toEqual(['answer null 00']);
	});
});

describe('a pause of the process', () => {
	test('after a pause of at least one second, no time limit expires before the buffered bytes are read', () => {
		const terminal = new BcaFixture().ask('s1').wait(ECR_DEFAULTS.ackMs - 200);
		expect(terminal.stall(STALL_MS).reports).toEqual([]);
		const short = new BcaFixture()
			.met()
			.ask('s1')
			.wait(ECR_DEFAULTS.ackMs - 200);
		expect(short.stall(STALL_MS - 1).reports).toEqual(['silent s1']);
	});
});

describe('a NAK', () => {
	test('a repeated NAK does not delay the next send', () => {
		const terminal = new BcaFixture()
			.ask('s1')
			.hear(NAK)
			.wait(ECR_DEFAULTS.resendMs - 100)
			.hear(NAK)
			.wait(100);
		expect(terminal.written).toEqual(['01', '01']);
	});

	test('a NAK directly before a damaged answer is ignored', () => {
		const terminal = new BcaFixture().ask('s1').hear(NAK, answer().slice(0, -1), 0x7f).wait(ECR_DEFAULTS.ackMs);
		expect(terminal.written.filter((what) => what === '01')).toHaveLength(1);
	});
});

test('on a closed line no time limit expires, and the terminal stays disconnected', () => {
	const terminal = new BcaFixture({ probe: 'echo' }).lose().forget().wait(300_000);
	expect([terminal.written, terminal.reports, terminal.states]).toEqual([[], [], []]);
});

test('a sale that does not fit into a frame is refused with the reason', () => {
	expect(whys(new BcaFixture().forget().ask('s1', { type: 'sale', amount: rupiah(0) }))).toEqual([
		'an amount must be from 1 to 9999999999 rupiah',
	]);
});
