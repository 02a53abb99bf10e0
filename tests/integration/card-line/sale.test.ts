import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { CARD, conversation, NAME } from './conversation.ts';
import { ACK, answer, NAK, refusal, requestText, xor } from './frames.ts';

const PAID = answer({ pan: CARD, name: NAME });

conversation('a sale consists of request, ACK, answer, and the kiosk’s ACK once the answer is stored', async (at) => {
	at.kiosk.durable = false;
	at.kiosk.ask('s1');
	await at.hears('01');
	const request = Uint8Array.from(at.heard);
	expect(request).toHaveLength(155);
	expect(requestText(request, 6, 12)).toBe('000013750000');
	expect(request.at(-1)).toBe(xor(request.subarray(1, -1)));
	at.say(ACK);
	await at.tells('acked s1');
	expect(at.kiosk.told).toContain('busy');
	at.say(...PAID);
	await at.tells('acked s1', 'answer s1 00 137500');
	await at.pause(300);
	expect(at.said).toEqual(['01']);
	at.kiosk.acknowledgeNewest();
	await at.hears('01', 'ACK');
	expect(at.kiosk.told.at(-1)).toBe('ready');
	expect(at.kiosk.answers[0]?.masked_pan).toBe('540912******5684');
	expect(JSON.stringify(at.kiosk.answers)).not.toContain(NAME);
});

conversation('three sales in a row, of which the second is cancelled, get a report each', async (at) => {
	await at.acked('s1');
	at.say(...PAID);
	await until(() => expect(at.reports.at(-1)).toBe('answer s1 00 137500'));
	await at.acked('s2');
	at.say(...refusal('P3'));
	await until(() => expect(at.reports.at(-1)).toBe('answer s2 P3 -'));
	await at.acked('s3');
	at.say(...answer({ rrn: '000418', invoice: '000022' }));
	await until(() => expect(at.reports.at(-1)).toBe('answer s3 00 137500'));
	await at.hears('01', 'ACK', '01', 'ACK', '01', 'ACK');
});

conversation('ACK and answer in one write are both read', async (at) => {
	at.kiosk.ask('s1');
	await at.hears('01');
	at.say(ACK, ...PAID);
	await at.tells('acked s1', 'answer s1 00 137500');
	await at.hears('01', 'ACK');
});

conversation('an answer is read even if it arrives byte by byte or in two halves with a pause', async (at) => {
	await at.acked('s1');
	await at.sayInPieces(PAID, 1, 2);
	await until(() => expect(at.reports.at(-1)).toBe('answer s1 00 137500'));
	await at.acked('s2');
	await at.sayInPieces(answer({ rrn: '000418' }), 103, 150);
	await until(() => expect(at.reports.at(-1)).toBe('answer s2 00 137500'));
});

for (const lrc of [0x00, 0x02, 0x03, 0x06, 0x15])
	conversation(`an LRC of ${lrc} in version 3 is not taken for a control byte`, { on: ['tcp'], settings: { version: 3 } }, async (at) => {
		await at.acked('s1');
		at.say(...answer({ version: 3, lrc, pan: CARD }));
		await at.tells('acked s1', 'answer s1 00 137500');
		await at.hears('01', 'ACK');
	});

conversation('the kiosk accepts an answer that comes without an ACK', async (at) => {
	at.kiosk.ask('s1');
	await at.hears('01');
	at.say(...PAID);
	await at.tells('acked s1', 'answer s1 00 137500');
});

conversation('after two NAKs at once the request is repeated once and succeeds', async (at) => {
	at.kiosk.ask('s1');
	await at.hears('01');
	at.say(NAK, NAK);
	await at.hears('01', '01');
	expect(at.heard.slice(0, 155)).toEqual(at.heard.slice(155));
	at.say(ACK, ...PAID);
	await at.tells('acked s1', 'answer s1 00 137500');
});

conversation('if the terminal answers every request with NAK, the sale is not begun', async (at) => {
	at.kiosk.ask('s1');
	for (const sent of [['01'], ['01', '01'], ['01', '01', '01']]) {
		await at.hears(...sent);
		at.say(NAK);
	}
	await at.tells('not_begun s1: the terminal refused the request 3 times');
	await at.pause(500);
	expect(at.said).toEqual(['01', '01', '01']);
});

conversation('a NAK within noise does not repeat the request', async (at) => {
	at.kiosk.ask('s1');
	await at.hears('01');
	at.say(0xff, 0x00, NAK, 0x7f);
	await at.tells('silent s1: no ACK within 1500 ms');
	expect(at.said).toEqual(['01']);
});

conversation('a damaged answer is requested again, and the valid repetition is reported', async (at) => {
	await at.acked('s1');
	at.say(...PAID.slice(0, -1), 0x7f);
	await at.hears('01', 'NAK');
	at.say(...PAID);
	await at.hears('01', 'NAK', 'ACK');
	await at.tells('acked s1', 'answer s1 00 137500');
});

conversation('if the answer is always damaged, it is requested three times and the sale is unknown', async (at) => {
	await at.acked('s1');
	const NAKS = ['NAK', 'NAK', 'NAK'];
	const sayDamaged = () => at.say(...PAID.slice(0, -1), 0x7f);
	for (const times of [1, 2, 3]) {
		sayDamaged();
		// Two answers in one read would get only one NAK.
		await at.hears('01', ...NAKS.slice(0, times));
	}
	sayDamaged();
	await at.tells('acked s1', 'silent s1: no answer within 2500 ms');
	expect(at.said).toEqual(['01', ...NAKS]);
});

conversation('an incomplete answer is requested again', async (at) => {
	await at.acked('s1');
	at.say(...PAID.slice(0, 140));
	await at.hears('01', 'NAK');
	at.say(...PAID);
	await at.hears('01', 'NAK', 'ACK');
});

conversation('an answer that arrives three times is reported once and acknowledged each time', async (at) => {
	await at.acked('s1');
	at.say(...PAID);
	await at.hears('01', 'ACK');
	at.say(...PAID);
	await at.hears('01', 'ACK', 'ACK');
	at.say(...PAID);
	await at.hears('01', 'ACK', 'ACK', 'ACK');
	expect(at.reports).toEqual(['acked s1', 'answer s1 00 137500']);
});

conversation('an answer that is not stored yet gets no ACK, even if the terminal repeats the answer', async (at) => {
	at.kiosk.durable = false;
	await at.acked('s1');
	for (let times = 0; times < 4; times += 1) {
		at.say(...PAID);
		await at.pause(50);
	}
	// The test first waits until all answers are read, because an answer that is read after the
	// acknowledgement would get an ACK of its own.
	await until(() => expect(at.kiosk.log.filter((line) => line.includes('edc.repeated'))).toHaveLength(3));
	expect([at.said, at.reports]).toEqual([['01'], ['acked s1', 'answer s1 00 137500']]);
	at.kiosk.acknowledgeNewest();
	await at.hears('01', 'ACK');
	at.say(...PAID);
	await at.hears('01', 'ACK', 'ACK');
});

conversation('answers with another amount or type are reported without a request and do not end the sale', async (at) => {
	await at.acked('s1');
	at.say(...answer({ amount: 137_600 }), ...answer({ type: '17', amount: 0 }), ...answer({ type: '32', wide: true }));
	await at.tells('acked s1', 'answer null 00 137600', 'answer null 00 0', 'answer null 00 137500', 'silent s1: no answer within 2500 ms');
});

conversation('if a request is sent during a report, the reports still come one at a time and in order', async (at) => {
	let inside = 0;
	at.kiosk.react = (report) => {
		inside += 1;
		expect(inside).toBe(1);
		if (report.kind === 'answer' && report.request_id === 's1') at.kiosk.ask('e1', { type: 'echo' });
		inside -= 1;
	};
	await at.acked('s1');
	at.say(...PAID);
	await at.hears('01', 'ACK', '17');
	expect(at.kiosk.told.slice(-5)).toEqual(['busy', 'acked s1', 'answer s1 00 137500', 'ready', 'busy']);
});
