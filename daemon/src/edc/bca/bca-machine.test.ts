/** The course of a request: sent, sent again, answered or unanswered. */

import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACK, answer, NAK, refusal } from '../../../../tests/integration/card-line/frames.ts';
import { BcaFixture } from './bca-machine.fixture.ts';
import { COUNTS, ECR_DEFAULTS } from './bca-state.ts';

const NOISE = [0x00, 0xff, 0x03, 0x7f];

describe('a sale', () => {
	test('a sale consists of request, ACK and answer, and the answer gets an ACK only when the answer is on disk', () => {
		const terminal = new BcaFixture().forget().ask('s1');
		expect([terminal.written, terminal.reports, terminal.states]).toEqual([['01'], [], ['busy']]);
		terminal.hear(ACK);
		expect(terminal.reports).toEqual(['acked s1']);
		terminal.forget().wait(60_000);
		expect([terminal.written, terminal.reports]).toEqual([[], []]);
		terminal.hear(answer());
		expect([terminal.written, terminal.reports, terminal.states]).toEqual([[], ['answer s1 00'], ['ready']]);
		terminal.acknowledge();
		expect(terminal.written).toEqual(['ack']);
		terminal.acknowledge().wait(1_000);
		expect(terminal.written).toEqual(['ack']);
	});

	test('a sale accepts ACK and answer in one read, or an answer without ACK', () => {
		expect(new BcaFixture().ask('s1').hear(ACK, answer()).reports).toEqual(['acked s1', 'answer s1 00']);
		expect(new BcaFixture().ask('s1').hear(answer()).reports).toEqual(['acked s1', 'answer s1 00']);
	});

	test.each(['spaces', 'zeros'] as const)(
		'a refusal with %s after the code belongs to the request although the refusal has no amount',
		(shape) => {
			expect(new BcaFixture().acked('s1').hear(refusal('P3', shape)).reports).toEqual(['answer s1 P3']);
		},
	);

	test('an answer in another protocol version is accepted and logged', () => {
		const terminal = new BcaFixture({ version: 2 }).acked('s1').hear(answer({ version: 3 }));
		expect(terminal.reports).toEqual(['answer s1 00']);
		expect(terminal.effects).toContainEqual({ kind: 'log', id: 'edc.odd_version', fields: { version: 3 } });
	});

	test('a second request while another request is open throws an error', () => {
		expect(() => new BcaFixture().ask('s1').ask('s2')).toThrow('s1');
	});
});

describe('a request that is not begun', () => {
	test('a request is not begun if the line is not open', () => {
		const terminal = new BcaFixture().lose().forget().ask('s1');
		expect([terminal.written, terminal.reports]).toEqual([[], ['not_begun s1']]);
	});

	test('a request is not begun if it cannot be encoded', () => {
		const terminal = new BcaFixture().forget().ask('v1', { type: 'void', amount: rupiah(1_000), invoice: '' });
		expect([terminal.written, terminal.reports, terminal.states]).toEqual([[], ['not_begun v1'], []]);
	});

	test('a request is not begun if the terminal refuses all three sends with NAK', () => {
		const terminal = new BcaFixture().ask('s1');
		for (let sends = 1; sends <= COUNTS.sends; sends += 1) {
			expect(terminal.written).toHaveLength(sends);
			// Some terminals send NAK twice.
			terminal.hear(NAK, NAK).wait(terminal.settings.resendMs);
		}
		expect([terminal.written, terminal.reports]).toEqual([['01', '01', '01'], ['not_begun s1']]);
	});
});

describe('a request is not sent again', () => {
	test('after silence the request is not sent again, and its outcome is unknown', () => {
		const terminal = new BcaFixture().met().ask('s1').wait(ECR_DEFAULTS.ackMs);
		expect([terminal.written, terminal.reports]).toEqual([['01'], ['silent s1']]);
		expect(
			new BcaFixture()
				.met()
				.ask('s1')
				.wait(ECR_DEFAULTS.ackMs - 200).reports,
		).toEqual([]);
	});

	test('if ACK follows NAK, the request is not sent again', () => {
		const terminal = new BcaFixture().ask('s1').hear(NAK).wait(500).hear(ACK).wait(3_000);
		expect([terminal.written, terminal.reports]).toEqual([['01'], ['acked s1']]);
	});

	test('a NAK after ACK, or without an open request, causes no further send', () => {
		const terminal = new BcaFixture().hear(NAK).acked('s1').hear(NAK).wait(3_000);
		expect(terminal.written).toEqual([]);
	});

	test.each([
		['before', [...NOISE, NAK]],
		['behind', [NAK, ...NOISE]],
	])('a NAK with noise %s it causes no further send', (_where, bytes) => {
		const terminal = new BcaFixture().ask('s1').hear(bytes).wait(ECR_DEFAULTS.ackMs);
		expect([terminal.written, terminal.reports]).toEqual([['01'], ['silent s1']]);
	});

	test('an LRC that equals NAK, in a frame whose header was lost, causes no further send', () => {
		const headless = answer({ lrc: NAK }).slice(2);
		expect(new BcaFixture().ask('s1').hear(headless).wait(ECR_DEFAULTS.ackMs).written).toEqual(['01', 'nak']);
		expect(new BcaFixture().ask('s1').hear(headless).wait(ECR_DEFAULTS.ackMs).reports).toEqual(['silent s1']);
	});

	test('if the first send gets NAK and the second no reply, the outcome is unknown', () => {
		const terminal = new BcaFixture().ask('s1').hear(NAK).wait(1_500).wait(ECR_DEFAULTS.ackMs);
		expect([terminal.written, terminal.reports]).toEqual([['01', '01'], ['silent s1']]);
	});
});

describe('silence', () => {
	test('silence is reported if no answer follows ACK within the time limit', () => {
		const terminal = new BcaFixture().acked('s1').wait(ECR_DEFAULTS.answerMs - 200);
		expect(terminal.reports).toEqual([]);
		expect(terminal.wait(200).reports).toEqual(['silent s1']);
		expect(terminal.states).toEqual(['ready']);
	});

	test.each([false, true])(
		'if the line is lost after the first byte (ACK received: %s), silence is reported, and a late answer is still reported for the sale',
		(acked) => {
			const terminal = new BcaFixture().ask('s1');
			if (acked) terminal.hear(ACK);
			terminal.forget().lose();
			expect([terminal.reports, terminal.states]).toEqual([['silent s1'], ['disconnected']]);
			expect(terminal.forget().reopen().hear(answer()).reports).toEqual(['answer s1 00']);
		},
	);

	test('an echo test has a shorter time limit than a sale', () => {
		expect(new BcaFixture().acked('e1', { type: 'echo' }).wait(ECR_DEFAULTS.echoMs).reports).toEqual(['silent e1']);
	});

	test('a late answer is reported once for its request', () => {
		const terminal = new BcaFixture().acked('s1').wait(ECR_DEFAULTS.answerMs).wait(60_000).forget().hear(answer());
		expect(terminal.reports).toEqual(['answer s1 00']);
		terminal.acknowledge().hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['answer s1 00'], ['ack', 'ack']]);
		expect(terminal.forget().hear(answer({ rrn: '000418' })).reports).toEqual(['answer null 00']);
	});

	test('a late refusal belongs to its request, even when it equals the last refusal', () => {
		const terminal = new BcaFixture().acked('s1').hear(refusal('P3')).acknowledge();
		terminal.acked('s2').wait(ECR_DEFAULTS.answerMs).forget().hear(refusal('P3'));
		expect(terminal.reports).toEqual(['answer s2 P3']);
	});
});

describe('the process stalls', () => {
	test('an ACK and an answer that were buffered during a pause of the process count as in time', () => {
		const terminal = new BcaFixture().ask('s1').stall(200_000).hear(ACK).stall(200_000).hear(answer());
		expect([terminal.reports, terminal.written]).toEqual([['acked s1', 'answer s1 00'], ['01']]);
	});

	test('after a pause in the middle of an answer, the rest of the answer is still read', () => {
		const terminal = new BcaFixture().acked('s1').hear(answer().slice(0, 90)).stall(20_000);
		expect(terminal.hear(answer().slice(90)).reports).toEqual(['answer s1 00']);
	});

	test('after a pause without a buffered answer, silence is reported for the sale', () => {
		expect(new BcaFixture().ask('s1').stall(20_000).wait(200).reports).toEqual(['silent s1']);
	});
});

describe('echo tests', () => {
	const ECHO = answer({ type: '17', amount: 0 });

	test('the first answered echo test makes the terminal ready, and later tests cause no reports', () => {
		const terminal = new BcaFixture({ probe: 'echo' }).wait(200);
		expect([terminal.written, terminal.states]).toEqual([['17'], ['starting']]);
		terminal.hear(ACK, ECHO);
		expect([terminal.written, terminal.states, terminal.reports]).toEqual([['17', 'ack'], ['starting', 'ready'], []]);
		expect(terminal.wait(ECR_DEFAULTS.probeIdleMs - 100).written).toHaveLength(2);
		expect(terminal.wait(100).written).toEqual(['17', 'ack', '17']);
		expect(terminal.states).toEqual(['starting', 'ready']);
	});

	test('echo tests are repeated until the terminal answers one, and no request begins before this answer', () => {
		const terminal = new BcaFixture({ probe: 'echo' }).wait(200).ask('s1');
		expect(terminal.reports).toEqual(['not_begun s1']);
		terminal.wait(ECR_DEFAULTS.probeAgainMs);
		expect([terminal.written, terminal.states, terminal.reports]).toEqual([['17', '17'], ['starting', 'silent'], ['not_begun s1']]);
		terminal.ask('s2');
		expect([terminal.reports, terminal.hear(ACK, ECHO).states.at(-1)]).toEqual([['not_begun s1', 'not_begun s2'], 'ready']);
	});

	test('if the line was lost during a sale, no echo test is sent while the answer to the sale may still come', () => {
		const terminal = new BcaFixture({ probe: 'echo' }).wait(200).hear(ACK, ECHO).acked('s1').lose().reopen();
		expect(terminal.wait(ECR_DEFAULTS.answerMs - 1_000).written).toEqual([]);
		expect(terminal.wait(1_000).written).toEqual(['17']);
	});
});

test('for any input, an approval is reported only for an open or timed-out sale of its amount, and only once', () => {
	const bytes = fc.oneof(
		fc.constantFrom([ACK], [NAK], [NAK, NAK], NOISE, answer().slice(0, 90), answer().slice(90), refusal('P3'), refusal('51', 'zeros')),
		fc.constantFrom(answer(), answer({ amount: 1_000 }), answer({ rrn: '000777' }), answer({ type: '17', amount: 0 })),
		fc.uint8Array({ maxLength: 40 }).map((noise) => [...noise]),
	);
	const deed = fc.oneof(
		bytes.map((said) => (terminal: BcaFixture) => void terminal.hear(said)),
		fc.constantFrom(100, 1_500, 6_000, 130_000).map((ms) => (terminal: BcaFixture) => void terminal.wait(ms)),
		fc.constantFrom(-1, -2, 0).map((index) => (terminal: BcaFixture) => void terminal.acknowledge(index)),
		fc.constant((terminal: BcaFixture) => void terminal.lose().reopen()),
		fc.constant((terminal: BcaFixture) => void (terminal.state.open === null && terminal.ask(`s${terminal.effects.length}`))),
	);
	fc.assert(
		fc.property(fc.array(deed, { maxLength: 25 }), (deeds) => {
			const terminal = new BcaFixture();
			for (const act of deeds) act(terminal);
			const sent = terminal.written.filter((what) => what === '01').length;
			const begun = new Set(
				terminal.effects.flatMap((effect) => (effect.kind === 'log' && effect.id === 'edc.sent' ? [effect.fields.request_id] : [])),
			);
			const answers = terminal.effects.flatMap((effect) =>
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
