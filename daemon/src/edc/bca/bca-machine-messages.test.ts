/** Exact log entries and reports of the link machine, and its limits to the millisecond. */

import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { ACK, answer, NAK, refusal } from '../../../../tests/integration/card-line/frames.ts';
import type { TerminalRequest } from '../terminal.ts';
import { Bench } from './bca-machine.fixture.ts';
import { COUNTS, ECR_DEFAULTS, STALL_MS } from './bca-state.ts';

const logged = (bench: Bench) => bench.effects.flatMap((effect) => (effect.kind === 'log' ? [[effect.id, effect.fields]] : []));
const of = (bench: Bench, id: string) => logged(bench).flatMap(([name, fields]) => (name === id ? [fields] : []));
const whys = (bench: Bench) =>
	bench.effects.flatMap((effect) => (effect.kind === 'report' && 'why' in effect.report ? [effect.report.why] : []));
const repeat = (times: number, act: () => void) => {
	for (let time = 0; time < times; time += 1) act();
};

describe('the log of a sale', () => {
	test('runs from the request to the answer and has no card digits', () => {
		const bench = new Bench().forget().ask('s1').hear(ACK, answer());
		const [, fields] = logged(bench).at(-1) ?? [];
		expect(logged(bench)).toMatchObject([
			['edc.sent', { request_id: 's1', type: 'sale', amount: 137_500, send: 1 }],
			['edc.answer', expect.objectContaining({ request_id: 's1', type: 'sale', code: '00', meaning: 'approved', amount: 137_500 })],
		]);
		expect(Object.keys(fields ?? {}).sort()).toEqual(['amount', 'code', 'invoice', 'meaning', 'request_id', 'rrn', 'type']);
		bench.forget().acknowledge().hear(answer());
		expect(of(bench, 'edc.repeated')).toMatchObject([{ type: 'sale', code: '00' }]);
		expect(of(bench, 'edc.odd_version')).toMatchObject([]);
	});

	test('an answer with a bank’s own code is logged as a code of the bank', () => {
		const bench = new Bench().acked('s1').hear(refusal('05'));
		expect(of(bench, 'edc.answer')).toMatchObject([{ meaning: 'declined with a code of the bank' }]);
	});

	test('a request without an amount is logged without an amount', () => {
		expect(of(new Bench().ask('e1', { type: 'echo' }), 'edc.sent')).toMatchObject([
			{ request_id: 'e1', type: 'echo', amount: undefined, send: 1 },
		]);
	});

	test('shows that the sale was refused with NAK and then given up', () => {
		const bench = new Bench().forget().ask('s1');
		repeat(COUNTS.sends, () => bench.hear(NAK).wait(ECR_DEFAULTS.resendMs));
		expect(of(bench, 'edc.sent').map((fields) => (fields as { send: number }).send)).toMatchObject([1, 2, 3]);
		expect(of(bench, 'edc.refused')).toMatchObject([1, 2, 3].map((send) => ({ request_id: 's1', type: 'sale', send })));
		expect([whys(bench), bench.states]).toEqual([['the terminal refused the request 3 times'], ['busy', 'silent']]);
		expect(bench.wait(ECR_DEFAULTS.probeIdleMs).forget().ask('s2').written).toEqual(['01']);
	});

	test('no byte since the line opened: the sale is not begun, and the log gives the reason', () => {
		const bench = new Bench().ask('s1').wait(ECR_DEFAULTS.ackMs);
		const why = 'the terminal does not answer: not a byte since its line opened, no ACK within 5000 ms';
		expect([bench.reports, whys(bench)]).toEqual([['not_begun s1'], [why]]);
		expect(of(bench, 'edc.unanswered')).toEqual([{ request_id: 's1', type: 'sale', why }]);
		expect(of(bench, 'edc.silent')).toEqual([]);
	});

	test.each<[string, (bench: Bench) => Bench, string]>([
		['no ACK', (bench) => bench.ask('s1').wait(ECR_DEFAULTS.ackMs), 'no ACK within 5000 ms'],
		['no answer', (bench) => bench.acked('s1').wait(ECR_DEFAULTS.answerMs), 'no answer within 125000 ms'],
		['no answer to an echo', (bench) => bench.acked('s1', { type: 'echo' }).wait(ECR_DEFAULTS.echoMs), 'no answer within 30000 ms'],
		['a lost line', (bench) => bench.acked('s1').lose(), 'the line was lost: cable'],
	])('shows %s as silence, with the reason', (_what, happens, why) => {
		const bench = happens(new Bench().met());
		expect(whys(bench)).toEqual([why]);
		expect(of(bench, 'edc.silent')).toMatchObject([{ request_id: 's1', type: expect.any(String), why }]);
	});

	test.each<[string, () => Bench, string]>([
		['the line is closed', () => new Bench().lose(), 'the line to the terminal is not open'],
		['the terminal is being tested', () => new Bench({ probe: 'echo' }).wait(200), 'the terminal has not answered its echo test'],
	])('gives the reason of a sale that was not begun because %s', (_what, start, why) => {
		const bench = start().forget().ask('s1');
		expect(whys(bench)).toEqual([why]);
		expect(bench.written).toEqual([]);
	});

	test('requests of the kiosk itself are not logged', () => {
		const bench = new Bench({ probe: 'echo' }).wait(200);
		repeat(COUNTS.sends, () => bench.hear(NAK).wait(ECR_DEFAULTS.resendMs));
		bench.wait(ECR_DEFAULTS.probeAgainMs + ECR_DEFAULTS.ackMs);
		expect([logged(bench), bench.reports]).toEqual([[], []]);
	});

	test('damaged answers and meaningless bytes are counted, not shown', () => {
		const bench = new Bench().acked('s1');
		const damaged = [...answer().slice(0, -1), 0x7f];
		repeat(COUNTS.naks + 1, () => bench.hear(damaged));
		expect(logged(bench)).toMatchObject([
			...Array.from({ length: COUNTS.naks }, () => ['edc.damaged', { why: 'the LRC is wrong' }]),
			['edc.discarded', { why: 'the LRC is wrong' }],
		]);
		expect(logged(new Bench().forget().hear(0xff, 0xff))).toEqual([['edc.discarded', { bytes: 2 }]]);
	});

	test('an incomplete answer, or one without its header, is logged with its length', () => {
		const half = new Bench().acked('s1').hear(answer().slice(0, 150)).wait(ECR_DEFAULTS.halfFrameMs);
		expect(of(half, 'edc.damaged')).toMatchObject([{ why: 'the answer broke off after 150 bytes' }]);
		const headless = (bytes: number) => new Bench().acked('s1').hear(Array<number>(bytes).fill(0x20)).wait(ECR_DEFAULTS.halfFrameMs);
		expect(of(headless(COUNTS.lostFrameBytes), 'edc.damaged')).toMatchObject([{ why: '100 bytes without the beginning of an answer' }]);
		expect(of(headless(COUNTS.lostFrameBytes - 1), 'edc.damaged')).toMatchObject([]);
	});
});

describe('an answer', () => {
	test('in two reads less than a second apart is one answer', () => {
		const bench = new Bench()
			.acked('s1')
			.wait(5_000)
			.hear(answer().slice(0, 90))
			.wait(ECR_DEFAULTS.halfFrameMs - 100);
		expect(bench.hear(answer().slice(90)).reports).toEqual(['answer s1 00']);
	});

	test('a valid answer requests no repeat of a damaged answer in the same read', () => {
		const damaged = [...answer().slice(0, -1), 0x7f];
		expect(new Bench().acked('s1').hear(damaged, answer()).written).toEqual([]);
	});

	test('that was reported as unrequested is not reported again before it is durable', () => {
		const bench = new Bench().forget().hear(answer()).hear(answer());
		expect([bench.reports, bench.written]).toEqual([['answer null 00'], []]);
	});

	test('while the line is closed is not acknowledged', () => {
		const bench = new Bench().acked('s1').hear(answer()).lose().forget();
		expect(bench.acknowledge().written).toEqual([]);
	});

	test('to the kiosk’s own echo test is acknowledged at once', () => {
		const bench = new Bench({ probe: 'echo' })
			.wait(200)
			.hear(ACK, answer({ type: '17', amount: 0 }))
			.forget();
		expect(bench.acknowledge().written).toEqual([]);
	});

	test('that fits two timed-out requests belongs to the newer request, and the older request still waits', () => {
		const other: TerminalRequest = { type: 'sale', amount: rupiah(1_000) };
		const bench = new Bench().acked('s1').wait(ECR_DEFAULTS.answerMs).acked('s2', other).wait(ECR_DEFAULTS.answerMs).forget();
		bench.hear(answer({ amount: 1_000 }));
		expect(bench.reports).toEqual(['answer s2 00']);
		expect(bench.hear(answer()).reports).toEqual(['answer s2 00', 'answer s1 00']);
	});

	test('is remembered while it is one of the last eight; the same holds for requests', () => {
		const bench = new Bench();
		repeat(COUNTS.remembered + 1, () => bench.acked(`s${bench.now}`).wait(ECR_DEFAULTS.answerMs));
		bench.forget();
		for (let index = 0; index <= COUNTS.remembered; index += 1) bench.hear(answer({ rrn: String(900_000 + index) }));
		expect(bench.reports.filter((report) => report.startsWith('answer s'))).toHaveLength(COUNTS.remembered);
		bench.forget().hear(answer({ rrn: '900000' }));
		expect(bench.reports).toEqual(['answer null 00']);
	});
});

describe('a pause of the process', () => {
	test('of at least one second: no limit expires before the buffered bytes are read', () => {
		const bench = new Bench().ask('s1').wait(ECR_DEFAULTS.ackMs - 200);
		expect(bench.stall(STALL_MS).reports).toEqual([]);
		const short = new Bench()
			.met()
			.ask('s1')
			.wait(ECR_DEFAULTS.ackMs - 200);
		expect(short.stall(STALL_MS - 1).reports).toEqual(['silent s1']);
	});
});

describe('a NAK', () => {
	test('does not delay the next send when it is repeated, because the pause counts from the first NAK', () => {
		const bench = new Bench()
			.ask('s1')
			.hear(NAK)
			.wait(ECR_DEFAULTS.resendMs - 100)
			.hear(NAK)
			.wait(100);
		expect(bench.written).toEqual(['01', '01']);
	});

	test('among bytes of a damaged answer is ignored', () => {
		const bench = new Bench().ask('s1').hear(NAK, answer().slice(0, -1), 0x7f).wait(ECR_DEFAULTS.ackMs);
		expect(bench.written.filter((what) => what === '01')).toHaveLength(1);
	});
});

test('on a closed line no limit expires, and the terminal stays disconnected', () => {
	const bench = new Bench({ probe: 'echo' }).lose().forget().wait(300_000);
	expect([bench.written, bench.reports, bench.states]).toEqual([[], [], []]);
});

test('a sale that does not fit into a frame is refused with the reason', () => {
	expect(whys(new Bench().forget().ask('s1', { type: 'sale', amount: rupiah(0) }))).toEqual([
		'an amount must be from 1 to 9999999999 rupiah',
	]);
});
