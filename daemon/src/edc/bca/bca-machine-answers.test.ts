/** Assignment of answers to requests, and repeated or damaged answers. */

import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { ACK, type Answer, answer, NAK, refusal } from '../../../../tests/integration/card-line/frames.ts';
import type { TerminalRequest } from '../terminal.ts';
import { Bench } from './bca-machine.fixture.ts';
import { ECR_DEFAULTS } from './bca-state.ts';

describe('an answer that fits no request', () => {
	test.each<[string, Answer]>([
		['another amount', { amount: 138_500 }],
		['no amount', { amount: ' '.repeat(12) }],
		['another type', { type: '17' }],
	])('with %s is reported as unrequested; the open request continues until its limit', (_what, fields) => {
		const bench = new Bench().acked('s1').hear(answer(fields));
		expect(bench.reports).toEqual(['answer null 00']);
		expect(bench.wait(ECR_DEFAULTS.answerMs).reports).toEqual(['answer null 00', 'silent s1']);
		expect(bench.forget().hear(answer(fields)).reports).toEqual([]);
		expect(bench.hear(answer()).reports).toEqual(['answer s1 00']);
	});

	test('is reported as unrequested when no request was sent', () => {
		const bench = new Bench().forget().hear(answer());
		expect([bench.reports, bench.written]).toEqual([['answer null 00'], []]);
		expect(bench.acknowledge().written).toEqual(['ack']);
	});

	test('is reported as unrequested when it comes before the ACK, because it may belong to an earlier sale', () => {
		const bench = new Bench().acked('s1').wait(ECR_DEFAULTS.answerMs).ask('s2').forget().hear(answer());
		expect(bench.reports).toEqual(['answer null 00']);
		const after = new Bench().acked('s1').wait(ECR_DEFAULTS.answerMs).acked('s2').hear(answer());
		expect(after.reports).toEqual(['answer s2 00']);
	});

	test('a void that comes late does not answer the void of another sale with the same amount', () => {
		const voidOf = (invoice: string): TerminalRequest => ({ type: 'void', amount: rupiah(137_500), invoice });
		const bench = new Bench().acked('v1', voidOf('21')).wait(ECR_DEFAULTS.answerMs).acked('v2', voidOf('22'));
		bench.hear(answer({ type: '08', invoice: '000021' }));
		expect(bench.reports).toEqual(['answer v1 00']);
		bench.acknowledge().hear(answer({ type: '08', invoice: '000022', rrn: '000418' }));
		expect(bench.reports).toEqual(['answer v1 00', 'answer v2 00']);
	});

	test('an inquiry is answered only with the QR reference it asked for', () => {
		const inquiry: TerminalRequest = { type: 'qris_inquiry', amount: rupiah(137_500), reference: '600000000002' };
		const bench = new Bench().acked('q1', inquiry).hear(answer({ type: '32', rrn: '600000000001', wide: true }));
		expect(bench.reports).toEqual(['answer null 00']);
		expect(bench.hear(answer({ type: '32', rrn: '600000000002', wide: true })).reports).toEqual(['answer null 00', 'answer q1 00']);
	});
});

describe('repeatable requests', () => {
	const inquiry: TerminalRequest = { type: 'qris_inquiry', amount: rupiah(137_500), reference: '600000000002' };
	const reprint = (invoice: string): TerminalRequest => ({ type: 'reprint', invoice });

	test('that are sent again accept the answer to the first request', () => {
		const bench = new Bench().acked('i1', inquiry).wait(ECR_DEFAULTS.answerMs).ask('i2', inquiry).forget();
		expect(bench.hear(answer({ type: '32', rrn: '600000000002', wide: true })).reports).toEqual(['acked i2', 'answer i2 00']);
	});

	test('a reprint is answered by its slip number; number 0 asks for the last slip', () => {
		const slip = answer({ type: '19', invoice: '000021' });
		expect(new Bench().acked('r1', reprint('21')).hear(slip).reports).toEqual(['answer r1 00']);
		expect(new Bench().acked('r1', reprint('000000')).hear(slip).reports).toEqual(['answer r1 00']);
		expect(new Bench().acked('r1', reprint('000022')).hear(slip).reports).toEqual(['answer null 00']);
	});

	test('that are sent twenty times without an answer do not remove a sale from memory', () => {
		const bench = new Bench().acked('s1').wait(ECR_DEFAULTS.answerMs);
		for (const [index, request] of Array.from({ length: 20 }, () => [inquiry, reprint('21'), { type: 'echo' } as const])
			.flat()
			.entries())
			bench.ask(`q${index}`, request).wait(ECR_DEFAULTS.ackMs);
		expect(bench.forget().hear(answer()).reports).toEqual(['answer s1 00']);
	});
});

describe('the same answer again', () => {
	test('is acknowledged again and reported once', () => {
		const bench = new Bench().acked('s1').hear(answer()).acknowledge().hear(answer()).wait(3_000).hear(answer());
		expect([bench.reports, bench.written]).toEqual([['answer s1 00'], ['ack', 'ack', 'ack']]);
	});

	test('gets no ACK before the answer is durable; then one ACK covers both', () => {
		const bench = new Bench().acked('s1').hear(answer(), answer()).hear(answer());
		expect([bench.reports, bench.written]).toEqual([['answer s1 00'], []]);
		expect(bench.acknowledge().written).toEqual(['ack']);
	});

	test('an answer that was never acknowledged before the next request is reported again as unrequested', () => {
		const bench = new Bench().acked('s1').hear(answer()).acked('s2').hear(answer());
		expect([bench.reports, bench.written]).toEqual([['answer null 00'], []]);
		bench.hear(answer());
		expect([bench.reports, bench.written]).toEqual([['answer null 00'], []]);
		expect(bench.acknowledge().written).toEqual(['ack']);
		expect(bench.hear(answer({ rrn: '000418' })).reports).toEqual(['answer null 00', 'answer s2 00']);
	});

	test('two answers in one read get ACK only when both are durable', () => {
		const bench = new Bench().acked('s1').hear(answer({ amount: 1_000 }), answer());
		expect(bench.reports).toEqual(['answer null 00', 'answer s1 00']);
		expect(bench.acknowledge().written).toEqual([]);
		expect(bench.acknowledge().written).toEqual(['ack']);
	});

	test('of an approved sale never pays the next sale, however late it comes', () => {
		const bench = new Bench().acked('s1').hear(answer()).acknowledge();
		bench.acked('s2').hear(answer());
		expect([bench.reports, bench.written]).toEqual([[], ['ack']]);
		expect(bench.hear(answer({ rrn: '000418' })).reports).toEqual(['answer s2 00']);
	});

	const refused = () => new Bench().acked('s1').hear(refusal('PT')).acknowledge().ask('s2').forget().hear(refusal('PT'));

	test('of a refusal counts as a repeat before the next sale’s ACK; after the ACK, the kiosk waits 1.5 s for another answer', () => {
		const bench = refused().wait(1_000);
		expect([bench.reports, bench.written]).toEqual([[], []]);
		expect(bench.hear(ACK, refusal('PT')).wait(ECR_DEFAULTS.resendMs - 100).reports).toEqual(['acked s2']);
		expect(bench.wait(100).reports).toEqual(['acked s2', 'answer s2 PT']);
		expect(bench.acknowledge().written).toEqual(['ack']);
	});

	test('of a refusal after the ACK, followed by the next sale’s answer: the next sale’s answer counts', () => {
		const bench = refused().hear(ACK, refusal('PT'), answer());
		expect(bench.wait(ECR_DEFAULTS.answerMs).reports).toEqual(['acked s2', 'answer s2 00']);
	});

	test('of a refusal is still a repeat after an echo test', () => {
		const bench = new Bench().acked('s1').hear(refusal('PT')).acknowledge();
		bench
			.acked('e1', { type: 'echo' })
			.hear(answer({ type: '17', amount: 0 }))
			.acknowledge();
		expect(bench.acked('s2').forget().hear(refusal('PT'), answer()).reports).toEqual(['answer s2 00']);
	});

	test('of a refusal after the ACK counts at once if the terminal then closes the line', () => {
		expect(refused().hear(ACK, refusal('PT')).lose().reports).toEqual(['acked s2', 'answer s2 PT']);
	});

	test('of a refusal also ends the next sale if that sale gets no ACK, even when the refusal is repeated three times', () => {
		const bench = refused()
			.wait(ECR_DEFAULTS.resendMs - 100)
			.hear(refusal('PT'), refusal('PT'));
		expect([bench.reports, bench.written]).toEqual([[], []]);
		expect(bench.wait(100).reports).toEqual(['answer s2 PT']);
		expect(bench.acknowledge().written).toEqual(['ack']);
		expect(bench.hear(refusal('PT')).reports).toEqual(['answer s2 PT']);
	});

	test('of a refusal, followed by the next sale’s answer without an ACK: the next sale’s answer counts', () => {
		expect(refused().hear(answer()).reports).toEqual(['acked s2', 'answer s2 00']);
		const late = refused().wait(ECR_DEFAULTS.resendMs).forget().hear(answer());
		expect(late.reports).toEqual(['answer null 00']);
	});

	test('of a refusal after a NAK does not cause the next sale to be sent again', () => {
		const bench = new Bench().acked('s1').hear(refusal('PT')).acknowledge().ask('s2').forget().hear(NAK, refusal('PT')).wait(5_000);
		expect([bench.written, bench.reports]).toEqual([[], ['answer s2 PT']]);
	});

	test('of an approval without numbers never counts for the next sale while its ACK is missing', () => {
		const bare = answer({ rrn: '', approval: '', time: ' '.repeat(14), invoice: '' });
		const bench = new Bench().acked('s1').hear(bare).acknowledge().ask('s2').forget().hear(bare);
		expect(bench.wait(ECR_DEFAULTS.ackMs).reports).toEqual(['silent s2']);
	});

	test('two echo tests in one second are two answers', () => {
		const echo = answer({ type: '17', amount: 0 });
		const bench = new Bench().acked('e1', { type: 'echo' }).hear(echo).acknowledge();
		expect(bench.acked('e2', { type: 'echo' }).hear(echo).reports).toEqual(['answer e2 00']);
	});
});

describe('a damaged answer', () => {
	const damaged = [...answer().slice(0, -1), 0x7f];

	test('is requested again, at most three times', () => {
		const bench = new Bench().acked('s1');
		for (let times = 0; times < 5; times += 1) bench.hear(damaged);
		expect([bench.written, bench.reports]).toEqual([['nak', 'nak', 'nak'], []]);
		expect(bench.hear(answer()).reports).toEqual(['answer s1 00']);
	});

	test('a damaged answer that breaks off is requested again when the line is quiet', () => {
		const bench = new Bench().acked('s1').hear(answer().slice(0, 150));
		expect(bench.wait(900).written).toEqual([]);
		expect(bench.wait(200).written).toEqual(['nak']);
		expect(bench.hear(answer()).reports).toEqual(['answer s1 00']);
	});

	test('a damaged answer whose first bytes were damaged is requested again', () => {
		const bench = new Bench().acked('s1').hear(0x02, 0x42, 0x00, answer().slice(3)).wait(1_000);
		expect(bench.written).toEqual(['nak']);
	});

	test('is not requested again when a valid answer follows', () => {
		expect(new Bench().acked('s1').hear(damaged, answer()).written).toEqual([]);
		const half = new Bench().acked('s1').hear(damaged, answer().slice(0, 100));
		expect(half.written).toEqual([]);
		expect(half.hear(answer().slice(100)).reports).toEqual(['answer s1 00']);
	});

	test('noise without a request is ignored', () => {
		const bench = new Bench().forget();
		for (let times = 0; times < 100; times += 1) bench.hear(Array<number>(200).fill(0xff));
		expect([bench.wait(2_000).written, bench.reports, bench.states]).toEqual([[], [], []]);
	});
});
