import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACK, type Answer, answer, NAK, refusal } from '../../../../tests/conversations/edc/frames.ts';
import { rupiah } from '../../../contract/money.ts';
import type { TerminalRequest } from '../terminal.ts';
import { COUNTS, ECR_DEFAULTS } from './state.ts';
import { Bench } from './test-bench.ts';

const NOISE = [0x00, 0xff, 0x03, 0x7f];

describe('a sale', () => {
	test('request, ACK, answer; ours only after the answer is durable', () => {
		const bench = new Bench().forget().ask('s1');
		expect([bench.written, bench.reports, bench.states]).toEqual([['01'], [], ['busy']]);
		bench.hear(ACK);
		expect(bench.reports).toEqual(['acked s1']);
		bench.forget().wait(60_000);
		expect([bench.written, bench.reports]).toEqual([[], []]);
		bench.hear(...answer());
		expect([bench.written, bench.reports, bench.states]).toEqual([[], ['answer s1 00'], ['ready']]);
		bench.acknowledge();
		expect(bench.written).toEqual(['ack']);
		bench.acknowledge().wait(1_000);
		expect(bench.written).toEqual(['ack']);
	});

	test('ACK and answer in one read, or the answer without any ACK', () => {
		expect(new Bench().ask('s1').hear(ACK, ...answer()).reports).toEqual(['acked s1', 'answer s1 00']);
		expect(new Bench().ask('s1').hear(...answer()).reports).toEqual(['acked s1', 'answer s1 00']);
	});

	test.each(['spaces', 'zeros'] as const)('refused, %s behind the code: it belongs to the request although it names no amount', (shape) => {
		expect(new Bench().acked('s1').hear(...refusal('P3', shape)).reports).toEqual(['answer s1 P3']);
	});

	test('another version is understood and told to the technician', () => {
		const bench = new Bench({ version: 2 }).acked('s1').hear(...answer({ version: 3 }));
		expect(bench.reports).toEqual(['answer s1 00']);
		expect(bench.effects).toContainEqual({ kind: 'log', id: 'edc.odd_version', fields: { version: 3 } });
	});

	test('a second request while one is open is a bug', () => {
		expect(() => new Bench().ask('s1').ask('s2')).toThrow('s1');
	});
});

describe('a request that did not begin', () => {
	test('without a line', () => {
		const bench = new Bench().lose().forget().ask('s1');
		expect([bench.written, bench.reports]).toEqual([[], ['not_begun s1']]);
	});

	test('that fits into no frame', () => {
		const bench = new Bench().forget().ask('v1', { type: 'void', amount: rupiah(1_000), invoice: '' });
		expect([bench.written, bench.reports, bench.states]).toEqual([[], ['not_begun v1'], []]);
	});

	test('refused with NAK every time: three sends, a pause after each', () => {
		const bench = new Bench().ask('s1');
		for (let sends = 1; sends <= COUNTS.sends; sends += 1) {
			expect(bench.written).toHaveLength(sends);
			// Some terminals say it twice in a row.
			bench.hear(NAK, NAK).wait(bench.settings.resendMs);
		}
		expect([bench.written, bench.reports]).toEqual([['01', '01', '01'], ['not_begun s1']]);
	});
});

describe('a request is not said again', () => {
	test('on silence: what became of it is unknown', () => {
		const bench = new Bench().ask('s1').wait(ECR_DEFAULTS.ackMs);
		expect([bench.written, bench.reports]).toEqual([['01'], ['silent s1']]);
		expect(new Bench().ask('s1').wait(ECR_DEFAULTS.ackMs - 200).reports).toEqual([]);
	});

	test('when NAK was followed by ACK', () => {
		const bench = new Bench().ask('s1').hear(NAK).wait(500).hear(ACK).wait(3_000);
		expect([bench.written, bench.reports]).toEqual([['01'], ['acked s1']]);
	});

	test('on NAK after ACK, or on NAK with nothing open', () => {
		const bench = new Bench().hear(NAK).acked('s1').hear(NAK).wait(3_000);
		expect(bench.written).toEqual([]);
	});

	test.each([
		['before', [...NOISE, NAK]],
		['behind', [NAK, ...NOISE]],
	])('on a NAK with noise %s it', (_where, bytes) => {
		const bench = new Bench()
			.ask('s1')
			.hear(...bytes)
			.wait(ECR_DEFAULTS.ackMs);
		expect([bench.written, bench.reports]).toEqual([['01'], ['silent s1']]);
	});

	test('on an LRC that looks like NAK, in a frame whose header was lost', () => {
		const headless = answer({ lrc: NAK }).slice(2);
		expect(
			new Bench()
				.ask('s1')
				.hear(...headless)
				.wait(ECR_DEFAULTS.ackMs).written,
		).not.toContain('01 01');
		expect(
			new Bench()
				.ask('s1')
				.hear(...headless)
				.wait(ECR_DEFAULTS.ackMs).reports,
		).toEqual(['silent s1']);
	});

	test('after the first was refused and the second met silence: unknown', () => {
		const bench = new Bench().ask('s1').hear(NAK).wait(1_500).wait(ECR_DEFAULTS.ackMs);
		expect([bench.written, bench.reports]).toEqual([['01', '01'], ['silent s1']]);
	});
});

describe('silence', () => {
	test('after ACK, for longer than a sale takes', () => {
		const bench = new Bench().acked('s1').wait(ECR_DEFAULTS.answerMs - 200);
		expect(bench.reports).toEqual([]);
		expect(bench.wait(200).reports).toEqual(['silent s1']);
		expect(bench.states).toEqual(['ready']);
	});

	test.each([false, true])('the line is lost after the first byte, ACK heard: %s', (acked) => {
		const bench = new Bench().ask('s1');
		if (acked) bench.hear(ACK);
		bench.forget().lose();
		expect([bench.reports, bench.states]).toEqual([['silent s1'], ['disconnected']]);
		expect(
			bench
				.forget()
				.reopen()
				.hear(...answer()).reports,
		).toEqual(['answer s1 00']);
	});

	test('an echo test waits less than a sale', () => {
		expect(new Bench().acked('e1', { type: 'echo' }).wait(ECR_DEFAULTS.echoMs).reports).toEqual(['silent e1']);
	});

	test('a late answer belongs to its request, once', () => {
		const bench = new Bench()
			.acked('s1')
			.wait(ECR_DEFAULTS.answerMs)
			.wait(60_000)
			.forget()
			.hear(...answer());
		expect(bench.reports).toEqual(['answer s1 00']);
		bench.acknowledge().hear(...answer());
		expect([bench.reports, bench.written]).toEqual([['answer s1 00'], ['ack', 'ack']]);
		expect(bench.forget().hear(...answer({ rrn: '000418' })).reports).toEqual(['answer null 00']);
	});

	test('a late refusal belongs to its request, also when it is the last one said again', () => {
		const bench = new Bench()
			.acked('s1')
			.hear(...refusal('P3'))
			.acknowledge();
		bench
			.acked('s2')
			.wait(ECR_DEFAULTS.answerMs)
			.forget()
			.hear(...refusal('P3'));
		expect(bench.reports).toEqual(['answer s2 P3']);
	});
});

describe('the process stands still', () => {
	test('ACK and answer that waited in the buffer are in time', () => {
		const bench = new Bench()
			.ask('s1')
			.stall(200_000)
			.hear(ACK)
			.stall(200_000)
			.hear(...answer());
		expect([bench.reports, bench.written]).toEqual([['acked s1', 'answer s1 00'], ['01']]);
	});

	test('in the middle of an answer: its other half is still read', () => {
		const bench = new Bench()
			.acked('s1')
			.hear(...answer().slice(0, 90))
			.stall(20_000);
		expect(bench.hear(...answer().slice(90)).reports).toEqual(['answer s1 00']);
	});

	test('and nothing was said: silent', () => {
		expect(new Bench().ask('s1').stall(20_000).wait(200).reports).toEqual(['silent s1']);
	});
});

describe('an answer that belongs to nobody', () => {
	test.each<[string, Answer]>([
		['another amount', { amount: 138_500 }],
		['no amount', { amount: ' '.repeat(12) }],
		['another type', { type: '17' }],
	])('%s: told without a request, which stays open until its limit', (_what, fields) => {
		const bench = new Bench().acked('s1').hear(...answer(fields));
		expect(bench.reports).toEqual(['answer null 00']);
		expect(bench.wait(ECR_DEFAULTS.answerMs).reports).toEqual(['answer null 00', 'silent s1']);
		expect(bench.forget().hear(...answer(fields)).reports).toEqual([]);
		expect(bench.hear(...answer()).reports).toEqual(['answer s1 00']);
	});

	test('nothing was asked', () => {
		const bench = new Bench().forget().hear(...answer());
		expect([bench.reports, bench.written]).toEqual([['answer null 00'], []]);
		expect(bench.acknowledge().written).toEqual(['ack']);
	});

	test('before any ACK it could be that of an earlier sale of the same amount: nobody guesses', () => {
		const bench = new Bench()
			.acked('s1')
			.wait(ECR_DEFAULTS.answerMs)
			.ask('s2')
			.forget()
			.hear(...answer());
		expect(bench.reports).toEqual(['answer null 00']);
		const after = new Bench()
			.acked('s1')
			.wait(ECR_DEFAULTS.answerMs)
			.acked('s2')
			.hear(...answer());
		expect(after.reports).toEqual(['answer s2 00']);
	});

	test('an inquiry is answered only by the QR it asked for', () => {
		const inquiry: TerminalRequest = { type: 'qris_inquiry', amount: rupiah(137_500), reference: '600000000002' };
		const bench = new Bench().acked('q1', inquiry).hear(...answer({ type: '32', rrn: '600000000001', wide: true }));
		expect(bench.reports).toEqual(['answer null 00']);
		expect(bench.hear(...answer({ type: '32', rrn: '600000000002', wide: true })).reports).toEqual(['answer null 00', 'answer q1 00']);
	});
});

describe('questions', () => {
	const inquiry: TerminalRequest = { type: 'qris_inquiry', amount: rupiah(137_500), reference: '600000000002' };
	const reprint = (invoice: string): TerminalRequest => ({ type: 'reprint', invoice });

	test('asked again: the answer to the first asking is as good', () => {
		const bench = new Bench().acked('i1', inquiry).wait(ECR_DEFAULTS.answerMs).ask('i2', inquiry).forget();
		expect(bench.hear(...answer({ type: '32', rrn: '600000000002', wide: true })).reports).toEqual(['acked i2', 'answer i2 00']);
	});

	test('a slip is answered by its number; number 0 asks for the last one', () => {
		const slip = answer({ type: '19', invoice: '000021' });
		expect(new Bench().acked('r1', reprint('21')).hear(...slip).reports).toEqual(['answer r1 00']);
		expect(new Bench().acked('r1', reprint('000000')).hear(...slip).reports).toEqual(['answer r1 00']);
		expect(new Bench().acked('r1', reprint('000022')).hear(...slip).reports).toEqual(['answer null 00']);
	});

	test('asked twenty times without an answer, they do not push a sale out of memory', () => {
		const bench = new Bench().acked('s1').wait(ECR_DEFAULTS.answerMs);
		for (const [index, request] of Array.from({ length: 20 }, () => [inquiry, reprint('21'), { type: 'echo' } as const])
			.flat()
			.entries())
			bench.ask(`q${index}`, request).wait(ECR_DEFAULTS.ackMs);
		expect(bench.forget().hear(...answer()).reports).toEqual(['answer s1 00']);
	});
});

describe('the same answer again', () => {
	test('is acknowledged again and told once', () => {
		const bench = new Bench()
			.acked('s1')
			.hear(...answer())
			.acknowledge()
			.hear(...answer())
			.wait(3_000)
			.hear(...answer());
		expect([bench.reports, bench.written]).toEqual([['answer s1 00'], ['ack', 'ack', 'ack']]);
	});

	test('while it is not durable gets no ACK; one ACK is for both', () => {
		const bench = new Bench()
			.acked('s1')
			.hear(...answer(), ...answer())
			.hear(...answer());
		expect([bench.reports, bench.written]).toEqual([['answer s1 00'], []]);
		expect(bench.acknowledge().written).toEqual(['ack']);
	});

	test('that was never acknowledged before the next request is told again, as nobody’s', () => {
		const bench = new Bench()
			.acked('s1')
			.hear(...answer())
			.acked('s2')
			.hear(...answer());
		expect([bench.reports, bench.written]).toEqual([['answer null 00'], []]);
		bench.hear(...answer());
		expect([bench.reports, bench.written]).toEqual([['answer null 00'], []]);
		expect(bench.acknowledge().written).toEqual(['ack']);
		expect(bench.hear(...answer({ rrn: '000418' })).reports).toEqual(['answer null 00', 'answer s2 00']);
	});

	test('two answers in one read: ACK only when both are durable', () => {
		const bench = new Bench().acked('s1').hear(...answer({ amount: 1_000 }), ...answer());
		expect(bench.reports).toEqual(['answer null 00', 'answer s1 00']);
		expect(bench.acknowledge().written).toEqual([]);
		expect(bench.acknowledge().written).toEqual(['ack']);
	});

	test('of an approved sale never pays the next one, however late it is said', () => {
		const bench = new Bench()
			.acked('s1')
			.hear(...answer())
			.acknowledge();
		bench.acked('s2').hear(...answer());
		expect([bench.reports, bench.written]).toEqual([[], ['ack']]);
		expect(bench.hear(...answer({ rrn: '000418' })).reports).toEqual(['answer s2 00']);
	});

	test('of a refusal: before the ACK of the next sale it is the old one, after it the new one', () => {
		const bench = new Bench()
			.acked('s1')
			.hear(...refusal('PT'))
			.acknowledge();
		bench
			.ask('s2')
			.forget()
			.hear(...refusal('PT'));
		expect([bench.reports, bench.written]).toEqual([[], ['ack']]);
		expect(bench.hear(ACK, ...refusal('PT')).reports).toEqual(['acked s2', 'answer s2 PT']);
	});

	test('two echo tests in one second are two answers', () => {
		const echo = answer({ type: '17', amount: 0 });
		const bench = new Bench()
			.acked('e1', { type: 'echo' })
			.hear(...echo)
			.acknowledge();
		expect(bench.acked('e2', { type: 'echo' }).hear(...echo).reports).toEqual(['answer e2 00']);
	});
});

describe('a damaged answer', () => {
	const damaged = [...answer().slice(0, -1), 0x7f];

	test('is asked for again, three times at most', () => {
		const bench = new Bench().acked('s1');
		for (let times = 0; times < 5; times += 1) bench.hear(...damaged);
		expect([bench.written, bench.reports]).toEqual([['nak', 'nak', 'nak'], []]);
		expect(bench.hear(...answer()).reports).toEqual(['answer s1 00']);
	});

	test('that breaks off is asked for again when the line is quiet', () => {
		const bench = new Bench().acked('s1').hear(...answer().slice(0, 150));
		expect(bench.wait(900).written).toEqual([]);
		expect(bench.wait(200).written).toEqual(['nak']);
		expect(bench.hear(...answer()).reports).toEqual(['answer s1 00']);
	});

	test('whose first bytes were damaged is asked for again', () => {
		const bench = new Bench()
			.acked('s1')
			.hear(0x02, 0x42, 0x00, ...answer().slice(3))
			.wait(1_000);
		expect(bench.written).toEqual(['nak']);
	});

	test('is not asked for again when the good one is behind it', () => {
		expect(new Bench().acked('s1').hear(...damaged, ...answer()).written).toEqual([]);
		const half = new Bench().acked('s1').hear(...damaged, ...answer().slice(0, 100));
		expect(half.written).toEqual([]);
		expect(half.hear(...answer().slice(100)).reports).toEqual(['answer s1 00']);
	});

	test('noise without a request is left alone', () => {
		const bench = new Bench().forget();
		for (let times = 0; times < 100; times += 1) bench.hear(...Array<number>(200).fill(0xff));
		expect([bench.wait(2_000).written, bench.reports, bench.states]).toEqual([[], [], []]);
	});
});

describe('an echo test at opening, where it is asked for', () => {
	const ECHO = answer({ type: '17', amount: 0 });

	test('ready only when the terminal has answered; nobody else hears of it', () => {
		const bench = new Bench({ probe: 'echo' }).wait(200);
		expect([bench.written, bench.states]).toEqual([['17'], ['starting']]);
		bench.hear(ACK, ...ECHO);
		expect([bench.written, bench.states, bench.reports]).toEqual([['17', 'ack'], ['starting', 'ready'], []]);
		expect(bench.wait(60_000).written).toHaveLength(2);
	});

	test('again and again while there is no answer; a request meanwhile does not begin', () => {
		const bench = new Bench({ probe: 'echo' }).wait(200).ask('s1');
		expect(bench.reports).toEqual(['not_begun s1']);
		bench.wait(ECR_DEFAULTS.probeAgainMs);
		expect([bench.written, bench.states, bench.reports]).toEqual([['17', '17'], ['starting'], ['not_begun s1']]);
	});

	test('not while the answer to a lost sale may still come', () => {
		const bench = new Bench({ probe: 'echo' })
			.wait(200)
			.hear(ACK, ...ECHO)
			.acked('s1')
			.lose()
			.reopen();
		expect(bench.wait(ECR_DEFAULTS.answerMs - 1_000).written).toEqual([]);
		expect(bench.wait(1_000).written).toEqual(['17']);
	});
});

test('whatever a line says: a payment is told only for an open or timed-out sale of that amount, and once', () => {
	const bytes = fc.oneof(
		fc.constantFrom([ACK], [NAK], [NAK, NAK], NOISE, answer().slice(0, 90), answer().slice(90), refusal('P3'), refusal('51', 'zeros')),
		fc.constantFrom(answer(), answer({ amount: 1_000 }), answer({ rrn: '000777' }), answer({ type: '17', amount: 0 })),
		fc.uint8Array({ maxLength: 40 }).map((noise) => [...noise]),
	);
	const deed = fc.oneof(
		bytes.map((said) => (bench: Bench) => void bench.hear(...said)),
		fc.constantFrom(100, 1_500, 6_000, 130_000).map((ms) => (bench: Bench) => void bench.wait(ms)),
		fc.constant((bench: Bench) => void bench.acknowledge()),
		fc.constant((bench: Bench) => void bench.lose().reopen()),
		fc.constant((bench: Bench) => void (bench.state.open === null && bench.ask(`s${bench.effects.length}`))),
	);
	fc.assert(
		fc.property(fc.array(deed, { maxLength: 25 }), (deeds) => {
			const bench = new Bench();
			for (const act of deeds) act(bench);
			const sent = bench.written.filter((what) => what === '01').length;
			const begun = new Set(
				bench.effects.flatMap((effect) => (effect.kind === 'log' && effect.id === 'edc.sent' ? [effect.fields.request_id] : [])),
			);
			const answers = bench.effects.flatMap((effect) =>
				effect.kind === 'report' && effect.report.kind === 'answer' && effect.report.request_id !== null ? [effect.report] : [],
			);
			for (const { request_id, response } of answers) {
				expect(begun).toContain(request_id);
				if (response.code === '00') expect(response.amount).toBe(137_500);
			}
			expect(new Set(answers.map(({ request_id }) => request_id)).size).toBe(answers.length);
			const paid = answers.filter(({ response }) => response.code === '00').map(({ response }) => response.rrn);
			expect(new Set(paid).size).toBe(paid.length);
			expect(sent).toBeLessThanOrEqual(begun.size * COUNTS.sends);
		}),
		{ numRuns: 300 },
	);
});
