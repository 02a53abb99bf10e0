/** Attribution of answers to requests, and repeated or damaged answers. */

import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { ACK, type Answer, answer, NAK, refusal } from '../../../../tests/integration/card-line/frames.ts';
import type { TerminalRequest } from '../terminal.ts';
import { BcaFixture } from './bca-machine.fixture.ts';
import { ECR_DEFAULTS } from './bca-state.ts';

describe('an answer that fits no request', () => {
	test.each<[string, Answer]>([
		['another amount', { amount: 138_500 }],
		['no amount', { amount: ' '.repeat(12) }],
		['another type', { type: '17' }],
	])('an answer with %s is reported as unrequested, and the open request continues until its time limit', (_what, fields) => {
		const terminal = new BcaFixture().acked('s1').hear(answer(fields));
		expect(terminal.reports).toEqual(['answer null 00']);
		expect(terminal.wait(ECR_DEFAULTS.answerMs).reports).toEqual(['answer null 00', 'silent s1']);
		expect(terminal.forget().hear(answer(fields)).reports).toEqual([]);
		expect(terminal.hear(answer()).reports).toEqual(['answer s1 00']);
	});

	test('an answer is reported as unrequested if no request was sent', () => {
		const terminal = new BcaFixture().forget().hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['answer null 00'], []]);
		expect(terminal.acknowledge().written).toEqual(['ack']);
	});

	test('after an unanswered sale, an answer before the ACK of the next sale is reported as unrequested, because it may belong to either sale', () => {
		const terminal = new BcaFixture().acked('s1').wait(ECR_DEFAULTS.answerMs).ask('s2').forget().hear(answer());
		expect(terminal.reports).toEqual(['answer null 00']);
		const after = new BcaFixture().acked('s1').wait(ECR_DEFAULTS.answerMs).acked('s2').hear(answer());
		expect(after.reports).toEqual(['answer s2 00']);
	});

	test('a late answer to a void is not taken as the answer to the void of another sale with the same amount', () => {
		const voidOf = (invoice: string): TerminalRequest => ({ type: 'void', amount: rupiah(137_500), invoice });
		const terminal = new BcaFixture().acked('v1', voidOf('21')).wait(ECR_DEFAULTS.answerMs).acked('v2', voidOf('22'));
		terminal.hear(answer({ type: '08', invoice: '000021' }));
		expect(terminal.reports).toEqual(['answer v1 00']);
		terminal.acknowledge().hear(answer({ type: '08', invoice: '000022', rrn: '000418' }));
		expect(terminal.reports).toEqual(['answer v1 00', 'answer v2 00']);
	});

	test('an approval ends an inquiry only if it has the requested QR reference', () => {
		const inquiry: TerminalRequest = { type: 'qris_inquiry', amount: rupiah(137_500), reference: '600000000002' };
		const terminal = new BcaFixture().acked('q1', inquiry).hear(answer({ type: '32', rrn: '600000000001', wide: true }));
		expect(terminal.reports).toEqual(['answer null 00']);
		expect(terminal.hear(answer({ type: '32', rrn: '600000000002', wide: true })).reports).toEqual(['answer null 00', 'answer q1 00']);
	});
});

describe('repeatable requests', () => {
	const inquiry: TerminalRequest = { type: 'qris_inquiry', amount: rupiah(137_500), reference: '600000000002' };
	const reprint = (invoice: string): TerminalRequest => ({ type: 'reprint', invoice });

	test('a repeated inquiry accepts the answer to the first inquiry', () => {
		const terminal = new BcaFixture().acked('i1', inquiry).wait(ECR_DEFAULTS.answerMs).ask('i2', inquiry).forget();
		expect(terminal.hear(answer({ type: '32', rrn: '600000000002', wide: true })).reports).toEqual(['acked i2', 'answer i2 00']);
	});

	test('a reprint accepts only the slip with the requested number, but number 0 accepts any slip', () => {
		const slip = answer({ type: '19', invoice: '000021' });
		expect(new BcaFixture().acked('r1', reprint('21')).hear(slip).reports).toEqual(['answer r1 00']);
		expect(new BcaFixture().acked('r1', reprint('000000')).hear(slip).reports).toEqual(['answer r1 00']);
		expect(new BcaFixture().acked('r1', reprint('000022')).hear(slip).reports).toEqual(['answer null 00']);
	});

	test('unanswered repeatable requests do not displace a remembered sale', () => {
		const terminal = new BcaFixture().acked('s1').wait(ECR_DEFAULTS.answerMs);
		for (const [index, request] of Array.from({ length: 20 }, () => [inquiry, reprint('21'), { type: 'echo' } as const])
			.flat()
			.entries())
			terminal.ask(`q${index}`, request).wait(ECR_DEFAULTS.ackMs);
		expect(terminal.forget().hear(answer()).reports).toEqual(['answer s1 00']);
	});
});

describe('the same answer again', () => {
	test('a repeated answer is acknowledged again but reported once', () => {
		const terminal = new BcaFixture().acked('s1').hear(answer()).acknowledge().hear(answer()).wait(3_000).hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['answer s1 00'], ['ack', 'ack', 'ack']]);
	});

	test('an answer that is repeated before it is on disk gets one ACK when it is on disk', () => {
		const terminal = new BcaFixture().acked('s1').hear(answer(), answer()).hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['answer s1 00'], []]);
		expect(terminal.acknowledge().written).toEqual(['ack']);
	});

	test('if an unacknowledged answer is repeated after the next request, it is reported again as unrequested', () => {
		const terminal = new BcaFixture().acked('s1').hear(answer()).acked('s2').hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['answer null 00'], []]);
		terminal.hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['answer null 00'], []]);
		expect(terminal.acknowledge().written).toEqual(['ack']);
		expect(terminal.hear(answer({ rrn: '000418' })).reports).toEqual(['answer null 00', 'answer s2 00']);
	});

	test.each([
		[0, 1],
		[1, 0],
	])('two answers in one read get one ACK, and only when both are on disk (answer %i first)', (first, second) => {
		const terminal = new BcaFixture().acked('s1').hear(answer({ amount: 1_000 }), answer());
		expect(terminal.reports).toEqual(['answer null 00', 'answer s1 00']);
		expect(terminal.acknowledge(first).acknowledge(first).written).toEqual([]);
		expect(terminal.acknowledge(second).written).toEqual(['ack']);
	});

	test('the ACK of an answer waits until that answer is on disk, even if the answer to the previous request is written meanwhile', () => {
		const terminal = new BcaFixture()
			.acked('s1')
			.hear(answer())
			.acked('s2')
			.hear(answer({ rrn: '000418' }));
		expect(terminal.reports).toEqual(['answer s2 00']);
		expect(terminal.acknowledge(0).written).toEqual([]);
		expect(terminal.acknowledge(1).written).toEqual(['ack']);
		terminal.hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['answer s2 00'], ['ack', 'ack']]);
	});

	test('no ACK is sent while another answer is arriving', () => {
		const second = answer({ rrn: '000418' });
		const terminal = new BcaFixture()
			.acked('s1')
			.hear(answer({ amount: 99_000 }))
			.hear(second.slice(0, 120));
		expect(terminal.acknowledge(0).written).toEqual([]);
		terminal.hear(second.slice(120));
		expect(terminal.reports).toEqual(['answer null 00', 'answer s1 00']);
		expect(terminal.acknowledge(1).written).toEqual(['ack']);
	});

	test('an answer that is not on disk holds the ACK back even after many other answers', () => {
		const terminal = new BcaFixture().acked('s1').hear(answer({ amount: 99_000 }));
		for (let one = 1; one <= 20; one += 1) terminal.hear(answer({ type: '17', rrn: String(one) })).acknowledge();
		expect(terminal.written).toEqual([]);
		expect(terminal.acknowledge(0).written).toEqual(['ack']);
	});

	test('a repeated approval never pays the next sale', () => {
		const terminal = new BcaFixture().acked('s1').hear(answer()).acknowledge();
		terminal.acked('s2').hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([[], ['ack']]);
		expect(terminal.hear(answer({ rrn: '000418' })).reports).toEqual(['answer s2 00']);
	});

	const refused = () => new BcaFixture().acked('s1').hear(refusal('PT')).acknowledge().ask('s2').forget().hear(refusal('PT'));

	test('a refusal repeated before the ACK of the next sale is ignored once that ACK arrives; a refusal repeated after the ACK is reported for the next sale, unless another answer comes within 1.5 s', () => {
		const terminal = refused().wait(1_000);
		expect([terminal.reports, terminal.written]).toEqual([[], []]);
		expect(terminal.hear(ACK, refusal('PT')).wait(ECR_DEFAULTS.resendMs - 100).reports).toEqual(['acked s2']);
		expect(terminal.wait(100).reports).toEqual(['acked s2', 'answer s2 PT']);
		expect(terminal.acknowledge().written).toEqual(['ack']);
	});

	test('if another answer follows a refusal that was repeated after the ACK, that answer is reported for the next sale', () => {
		const terminal = refused().hear(ACK, refusal('PT'), answer());
		expect(terminal.wait(ECR_DEFAULTS.answerMs).reports).toEqual(['acked s2', 'answer s2 00']);
	});

	test('a repeated refusal is still recognised as a repeat after an echo test', () => {
		const terminal = new BcaFixture().acked('s1').hear(refusal('PT')).acknowledge();
		terminal
			.acked('e1', { type: 'echo' })
			.hear(answer({ type: '17', amount: 0 }))
			.acknowledge();
		expect(terminal.acked('s2').forget().hear(refusal('PT'), answer()).reports).toEqual(['answer s2 00']);
	});

	test('if the terminal repeats a refusal after the ACK and then closes the line, the refusal is reported for the next sale at once', () => {
		expect(refused().hear(ACK, refusal('PT')).lose().reports).toEqual(['acked s2', 'answer s2 PT']);
	});

	test('if the next sale gets no ACK, a repeated refusal ends that sale after 1.5 s, even if the refusal comes several times', () => {
		const terminal = refused()
			.wait(ECR_DEFAULTS.resendMs - 100)
			.hear(refusal('PT'), refusal('PT'));
		expect([terminal.reports, terminal.written]).toEqual([[], []]);
		expect(terminal.wait(100).reports).toEqual(['answer s2 PT']);
		expect(terminal.acknowledge().written).toEqual(['ack']);
		expect(terminal.hear(refusal('PT')).reports).toEqual(['answer s2 PT']);
	});

	test('without an ACK, an answer within 1.5 s after the repeated refusal is reported for the next sale; a later answer is unrequested', () => {
		expect(refused().hear(answer()).reports).toEqual(['acked s2', 'answer s2 00']);
		const late = refused().wait(ECR_DEFAULTS.resendMs).forget().hear(answer());
		expect(late.reports).toEqual(['answer null 00']);
	});

	test('after a NAK and a repeated refusal, the next sale is not sent again', () => {
		const terminal = new BcaFixture().acked('s1').hear(refusal('PT')).acknowledge().ask('s2').forget().hear(NAK, refusal('PT')).wait(5_000);
		expect([terminal.written, terminal.reports]).toEqual([[], ['answer s2 PT']]);
	});

	test('a repeated approval without numbers is never reported for the next sale while that sale has no ACK', () => {
		const bare = answer({ rrn: '', approval: '', time: ' '.repeat(14), invoice: '' });
		const terminal = new BcaFixture().acked('s1').hear(bare).acknowledge().ask('s2').forget().hear(bare);
		expect(terminal.wait(ECR_DEFAULTS.ackMs).reports).toEqual(['silent s2']);
	});

	test('equal answers to two echo tests in one second count as two answers', () => {
		const echo = answer({ type: '17', amount: 0 });
		const terminal = new BcaFixture().acked('e1', { type: 'echo' }).hear(echo).acknowledge();
		expect(terminal.acked('e2', { type: 'echo' }).hear(echo).reports).toEqual(['answer e2 00']);
	});
});

describe('a damaged answer', () => {
	const damaged = [...answer().slice(0, -1), 0x7f];

	test('a damaged answer is requested again at most three times', () => {
		const terminal = new BcaFixture().acked('s1');
		for (let times = 0; times < 5; times += 1) terminal.hear(damaged);
		expect([terminal.written, terminal.reports]).toEqual([['nak', 'nak', 'nak'], []]);
		expect(terminal.hear(answer()).reports).toEqual(['answer s1 00']);
	});

	test('an incomplete answer is requested again when the line is quiet', () => {
		const terminal = new BcaFixture().acked('s1').hear(answer().slice(0, 150));
		expect(terminal.wait(900).written).toEqual([]);
		expect(terminal.wait(200).written).toEqual(['nak']);
		expect(terminal.hear(answer()).reports).toEqual(['answer s1 00']);
	});

	test('an answer whose first bytes are damaged is requested again', () => {
		const terminal = new BcaFixture().acked('s1').hear(0x02, 0x42, 0x00, answer().slice(3)).wait(1_000);
		expect(terminal.written).toEqual(['nak']);
	});

	test('a damaged answer is not requested again if a valid answer follows', () => {
		expect(new BcaFixture().acked('s1').hear(damaged, answer()).written).toEqual([]);
		const half = new BcaFixture().acked('s1').hear(damaged, answer().slice(0, 100));
		expect(half.written).toEqual([]);
		expect(half.hear(answer().slice(100)).reports).toEqual(['answer s1 00']);
	});

	test('noise without a request is ignored', () => {
		const terminal = new BcaFixture().forget();
		for (let times = 0; times < 100; times += 1) terminal.hear(Array<number>(200).fill(0xff));
		expect([terminal.wait(2_000).written, terminal.reports, terminal.states]).toEqual([[], [], []]);
	});
});
