import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import type { EcrSettings } from '../../../daemon/src/edc/bca/bca-state.ts';
import type { TerminalRequest } from '../../../daemon/src/edc/terminal.ts';
import { type Edc, startEdc } from '../../simulators/edc/start.ts';
import type { CardAnswer, ModeDetails, TerminalMode } from '../../simulators/edc/terminal.ts';
import { plugCable } from '../../support/cable.ts';
import { until } from '../../support/until.ts';
import { type KioskEnd, startKioskEnd } from './kiosk-end.ts';

/**
 * Delays of the simulated terminal. The simulator was written from protocol facts and shares no
 * code with the driver.
 */
const TIMING = { ackMs: 5, customerMs: 30, halfFrameMs: 400 };
const AMOUNT = rupiah(137_500);
const SALE: TerminalRequest = { type: 'sale', amount: AMOUNT };

/** Driver and simulated terminal on one line. */
class Shop {
	readonly edc: Edc;
	readonly kiosk: KioskEnd;

	constructor(edc: Edc, kiosk: KioskEnd) {
		this.edc = edc;
		this.kiosk = kiosk;
	}

	get reports(): string[] {
		return this.kiosk.told.filter((report) => report.includes(' '));
	}

	tells(...reports: string[]): Promise<void> {
		return until(() => expect(this.reports).toEqual(reports));
	}

	/** Starts a sale with the terminal in this mode. */
	sell(
		request_id: string,
		mode: TerminalMode = 'normal',
		details: Partial<ModeDetails> = {},
		answer: CardAnswer = { respCode: '00' },
	): void {
		this.edc.terminal.setMode(mode, details);
		this.edc.terminal.next.push(answer);
		this.kiosk.ask(request_id);
	}

	/** Proves that the line works: a normal sale is paid and acknowledged. */
	async provesItself(): Promise<void> {
		const { bank } = this.edc.terminal;
		const before = { acknowledged: this.edc.terminal.acknowledged, captured: bank.captured };
		this.sell('proof');
		await until(() => expect(this.reports.at(-1)).toBe('answer proof 00 137500'));
		await until(() => expect(this.edc.terminal.acknowledged).toBeGreaterThan(before.acknowledged));
		expect(bank.captured).toBe(before.captured + AMOUNT);
	}
}

type Transport = 'tcp' | 'pty';

/** @param deep leaves the case out of the quick tests, because they have a similar case */
function shop(name: string, script: (at: Shop) => Promise<void>, settings: Partial<EcrSettings> = {}, deep = false): void {
	for (const transport of ['tcp', 'pty'] as const satisfies readonly Transport[])
		test.concurrent(`${transport}: ${name}`, { tags: deep || transport === 'tcp' ? 'deep' : [] }, async () => {
			const cable = transport === 'pty' ? await plugCable() : null;
			const edc = await startEdc({ timing: TIMING, ...(cable ? { serial: { path: cable.device } } : { port: 0 }) });
			const kiosk = startKioskEnd(cable ? cable.host : `tcp:127.0.0.1:${edc.port}`, settings, SALE);
			const at = new Shop(edc, kiosk);
			try {
				await until(() => expect(kiosk.told.at(-1)).toBe('ready'));
				await script(at);
				await at.provesItself();
			} catch (error) {
				const wire = edc.trace.slice(-30).map(({ from, what }) => `${from} ${what}`);
				if (error instanceof Error) error.message += `\ntold: ${kiosk.told}\nwire: ${wire}\nlog:\n${kiosk.log.slice(-20).join('\n')}`;
				throw error;
			} finally {
				kiosk.terminal.stop();
				await edc.stop();
				await cable?.stop();
			}
		});
}

const PAID = ['acked s1', 'answer s1 00 137500'];
const NO_ACK = 'silent s1: no ACK within 1500 ms';
const NO_ANSWER = 'silent s1: no answer within 2500 ms';

shop('normal: a sale is paid, and refusals in both layouts are read', async (at) => {
	at.sell('s1');
	await at.tells(...PAID);
	for (const respCode of ['P3', 'P2', '51']) {
		at.sell(respCode, 'normal', {}, { respCode });
		await until(() => expect(at.reports.at(-1)).toBe(`answer ${respCode} ${respCode} -`));
	}
	await until(() => expect(at.edc.terminal.acknowledged).toBe(4));
});

const UNANSWERED = 'not_begun s1: the terminal does not answer: not a byte since its line opened, no ACK within 1500 ms';

shop('silent from the start: the sale is not begun and nothing is charged', async (at) => {
	at.sell('s1', 'silent');
	await at.tells(UNANSWERED);
	expect(at.edc.terminal.bank.captured).toBe(0);
	at.edc.terminal.next.length = 0;
});

shop('silent after a sale: the next sale is unknown and not charged', async (at) => {
	await at.provesItself();
	at.sell('s1', 'silent');
	await until(() => expect(at.reports.at(-1)).toBe(NO_ACK));
	expect(at.edc.terminal.bank.captured).toBe(AMOUNT);
	at.edc.terminal.next.length = 0;
});

shop('held_up: if a request is delivered after its sale counts as not begun, ACK and approval belong to that sale', async (at) => {
	at.sell('s1', 'held_up');
	await at.tells(UNANSWERED);
	at.edc.terminal.setMode('normal');
	await at.tells(UNANSWERED, 'acked s1', 'answer s1 00 137500');
	expect(at.edc.terminal.bank.captured).toBe(AMOUNT);
});

shop('silent_after_ack: the sale is unknown although it was charged', async (at) => {
	at.sell('s1', 'silent_after_ack');
	await at.tells('acked s1', NO_ANSWER);
	expect(at.edc.terminal.bank.captured).toBe(AMOUNT);
});

shop('no_ack: an answer without ACK pays the sale', async (at) => {
	at.sell('s1', 'no_ack');
	await at.tells(...PAID);
});

shop('nak once: the repeated request is charged once', async (at) => {
	at.sell('s1', 'nak', { times: 1 });
	await at.tells(...PAID);
	expect(at.edc.terminal.bank.captured).toBe(AMOUNT);
});

shop('nak to every request: the sale is not begun', async (at) => {
	at.sell('s1', 'nak', { times: 100 });
	await at.tells('not_begun s1: the terminal refused the request 3 times');
	expect([at.edc.terminal.bank.captured, at.edc.terminal.details.times]).toEqual([0, 97]);
	at.edc.terminal.next.length = 0;
});

shop('bad_lrc: the kiosk requests the answer again, and the valid answer pays the sale', async (at) => {
	at.sell('s1', 'bad_lrc', { times: 2 });
	await at.tells(...PAID);
	await until(() => expect(at.edc.terminal.acknowledged).toBe(1));
});

shop('bad_lrc until the terminal gives up: the sale is unknown although it was charged', async (at) => {
	at.sell('s1', 'bad_lrc', { times: 100 });
	await at.tells('acked s1', NO_ANSWER);
	expect([at.edc.terminal.bank.captured, at.edc.terminal.acknowledged]).toEqual([AMOUNT, 0]);
});

shop(
	'slow: an answer whose bytes arrive one by one during five seconds is read',
	async (at) => {
		at.sell('s1', 'slow');
		await at.tells(...PAID);
	},
	{ answerMs: 15_000 },
	true,
);

shop('slow beyond the limit: the sale is unknown, and the late answer is reported for that sale', async (at) => {
	at.sell('s1', 'slow');
	await at.tells('acked s1', NO_ANSWER, 'answer s1 00 137500');
});

shop('double: an answer that is sent twice is reported once', async (at) => {
	at.sell('s1', 'double');
	await at.tells(...PAID);
	at.sell('s2', 'double');
	await at.tells(...PAID, 'acked s2', 'answer s2 00 137500');
});

shop('late: the answer belongs to the sale whose limit has passed', async (at) => {
	at.sell('s1', 'late', { ms: 3_500 });
	await at.tells('acked s1', NO_ANSWER, 'answer s1 00 137500');
	await until(() => expect(at.edc.terminal.acknowledged).toBe(1));
});

shop('wrong_amount: the answer does not belong to this sale', async (at) => {
	at.sell('s1', 'wrong_amount');
	await at.tells('acked s1', 'answer null 00 138500', NO_ANSWER);
	expect(at.edc.terminal.bank.captured).toBe(AMOUNT + 1_000);
});

shop('wrong_type: the answer does not belong to this sale', async (at) => {
	at.sell('s1', 'wrong_type');
	await at.tells('acked s1', 'answer null 00 137500', NO_ANSWER);
});

for (const mode of ['split', 'joined', 'noise'] as const)
	shop(`${mode}: the sale is paid`, async (at) => {
		at.sell('s1', mode);
		await at.tells(...PAID);
		await until(() => expect(at.edc.terminal.acknowledged).toBe(1));
	});

shop('stale: a repeated answer to the previous sale does not decide the next sale', async (at) => {
	at.sell('s1');
	await at.tells(...PAID);
	at.sell('s2', 'stale', {}, { respCode: 'P3' });
	await at.tells(...PAID, 'acked s2', 'answer s2 P3 -');
	at.sell('s3', 'stale');
	await at.tells(...PAID, 'acked s2', 'answer s2 P3 -', 'acked s3', 'answer s3 00 137500');
});

for (const captured of [true, false])
	shop(`a power cut while the customer pays (charged: ${captured}) leaves the sale unknown`, async (at) => {
		at.kiosk.ask('s1');
		await at.tells('acked s1');
		await until(() => expect(at.edc.terminal.waiting).not.toBeNull());
		at.edc.terminal.switchOff(captured);
		await at.tells('acked s1', NO_ANSWER);
		expect(at.edc.terminal.bank.captured).toBe(captured ? AMOUNT : 0);
		at.edc.terminal.switchOn();
	});

shop('a sale that is charged while the cable is cut is unknown', async (at) => {
	at.kiosk.ask('s1');
	await at.tells('acked s1');
	at.edc.cable.cut = true;
	await until(() => expect(at.edc.terminal.tap({ respCode: '00' })).toBe(true));
	await at.tells('acked s1', NO_ANSWER);
	at.edc.cable.cut = false;
});

shop('staff: echo, reprint, void and settlement are answered and acknowledged', async (at) => {
	at.sell('s1');
	await at.tells(...PAID);
	const invoice = at.kiosk.answers[0]?.invoice ?? '';
	const requests: [string, TerminalRequest, string][] = [
		['e1', { type: 'echo' }, 'answer e1 00 0'],
		['r1', { type: 'reprint', invoice }, 'answer r1 00 137500'],
		['r2', { type: 'reprint', invoice }, 'answer r2 00 137500'],
		['v1', { type: 'void', amount: AMOUNT, invoice }, 'answer v1 00 137500'],
		['v2', { type: 'void', amount: AMOUNT, invoice }, 'answer v2 25 -'],
		['t1', { type: 'settlement' }, 'answer t1 00 0'],
	];
	for (const [request_id, request, told] of requests) {
		at.kiosk.ask(request_id, request);
		await until(() => expect(at.reports.at(-1)).toBe(told));
	}
	await until(() => expect(at.edc.terminal.acknowledged).toBe(6));
});

for (const wide of [true, false])
	shop(
		`a QRIS code with an approval code of ${wide ? 9 : 6} characters is paid only after an inquiry confirms it`,
		async (at) => {
			at.edc.terminal.wideQrisApproval = wide;
			at.kiosk.ask('q1', { type: 'qris', amount: AMOUNT });
			await at.tells('acked q1', 'answer q1 00 137500');
			const shown = at.kiosk.answers[0];
			expect(shown).toMatchObject({ merchant_id: '000885000012345', terminal_id: 'ECR00417', date: expect.stringMatching(/^20\d{6}$/) });
			const inquiry: TerminalRequest = { type: 'qris_inquiry', amount: AMOUNT, reference: shown?.rrn ?? '' };
			for (const request_id of ['i1', 'i2']) {
				at.kiosk.ask(request_id, inquiry);
				await until(() => expect(at.reports.at(-1)).toBe(`answer ${request_id} S3 -`));
			}
			at.edc.terminal.bank.endQris('paid');
			at.kiosk.ask('i3', inquiry);
			await until(() => expect(at.reports.at(-1)).toBe('answer i3 00 137500'));
			expect(at.kiosk.answers.at(-1)?.approval).toHaveLength(wide ? 9 : 6);
		},
		{ version: 3 },
	);
