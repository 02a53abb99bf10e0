import { expect } from 'vitest';
import { randomFrom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { CARD, conversation } from './conversation.ts';
import { ACK, answer, NAK, refusal } from './frames.ts';

const PAID = answer({ pan: CARD });

conversation('without a cable a sale is not begun, and its request is not sent later', { unplugged: true }, async (at) => {
	at.kiosk.ask('s1');
	await at.tells('not_begun s1: the line to the terminal is not open');
	await at.line.plug();
	await at.ready();
	await at.pause(200);
	expect(at.said).toEqual([]);
	await at.acked('s2');
	at.say(...PAID);
	await until(() => expect(at.reports.at(-1)).toBe('answer s2 00 137500'));
});

conversation('if the cable is unplugged during a sale, the sale is unknown and the late answer belongs to that sale', async (at) => {
	await at.acked('s1');
	await at.line.unplug();
	await until(() => expect(at.reports.at(-1)).toMatch(/^silent s1: the line was lost/));
	expect(at.kiosk.told).toContain('disconnected');
	await at.line.plug();
	await at.ready();
	at.say(...PAID);
	await until(() => expect(at.reports.at(-1)).toBe('answer s1 00 137500'));
	await at.hears('01', 'ACK');
	await at.acked('s2');
	at.say(...answer({ rrn: '000418' }));
	await until(() => expect(at.reports.at(-1)).toBe('answer s2 00 137500'));
});

conversation('if the cable is unplugged before an answer is stored, the repeated answer gets the ACK', async (at) => {
	at.kiosk.durable = false;
	await at.acked('s1');
	at.say(...PAID);
	await at.tells('acked s1', 'answer s1 00 137500');
	await at.line.unplug();
	await until(() => expect(at.kiosk.told.at(-1)).toBe('disconnected'));
	at.kiosk.acknowledgeNewest();
	await at.line.plug();
	await at.ready();
	expect(at.said).toEqual(['01']);
	at.say(...PAID);
	await at.hears('01', 'ACK');
	expect(at.reports).toEqual(['acked s1', 'answer s1 00 137500']);
});

conversation('the line recovers after the cable is unplugged and plugged in three times without a sale', async (at) => {
	for (let times = 0; times < 3; times += 1) {
		await at.line.unplug();
		await until(() => expect(at.kiosk.told.at(-1)).toBe('disconnected'));
		await at.line.plug();
		await at.ready();
	}
	expect(at.kiosk.told.filter((report) => report === 'disconnected')).toHaveLength(3);
	await at.acked('s1');
});

const UNANSWERED = 'the terminal does not answer: not a byte since its line opened, no ACK within 1500 ms';

conversation('if the terminal never sent a byte, the sale is not begun, and a late ACK and answer belong to that sale', async (at) => {
	at.kiosk.ask('s1');
	await at.tells(`not_begun s1: ${UNANSWERED}`);
	expect(at.kiosk.told.at(-1)).toBe('silent');
	expect(at.said).toEqual(['01']);
	at.say(ACK);
	await until(() => expect(at.reports.at(-1)).toBe('acked s1'));
	at.say(...PAID);
	await until(() => expect(at.reports.at(-1)).toBe('answer s1 00 137500'));
	await at.hears('01', 'ACK');
});

conversation('if a terminal that answered before sends no ACK, the sale is unknown and a late answer is reported', async (at) => {
	await at.acked('s0');
	at.say(...refusal('51'));
	await at.hears('01', 'ACK');
	at.heard = [];
	at.kiosk.told = [];
	at.kiosk.ask('s1');
	await at.tells('silent s1: no ACK within 1500 ms');
	expect(at.said).toEqual(['01']);
	at.say(ACK, ...PAID);
	await at.tells('silent s1: no ACK within 1500 ms', 'answer s1 00 137500');
	await at.hears('01', 'ACK');
});

conversation('a refusal that comes after the time limit is reported for its sale', async (at) => {
	await at.acked('s1');
	await at.tells('acked s1', 'silent s1: no answer within 2500 ms');
	at.say(...refusal('TO', 'zeros'));
	await at.tells('acked s1', 'silent s1: no answer within 2500 ms', 'answer s1 TO -');
});

conversation('an answer without a request, as after a restart, is reported and acknowledged', async (at) => {
	at.say(...PAID);
	await at.tells('answer null 00 137500');
	await at.hears('ACK');
});

conversation('if the bill acceptor is on the terminal’s port, its bytes get no answer and a sale is unknown', async (at) => {
	at.kiosk.ask('s1');
	at.say(0x80, 0x8f, 0x3e, 0x5e, 0x81, 0x45, 0x10);
	await at.tells('silent s1: no ACK within 1500 ms');
	at.say(0x3e, 0x5e, 0x29);
	await at.pause(400);
	expect(at.said).toEqual(['01']);
});

conversation(
	'after a megabyte of noise during a sale, the driver reports only the real answer',
	{ settings: { answerMs: 60_000 } },
	async (at) => {
		const random = randomFrom(at.transport === 'tcp' ? 41 : 42);
		const noise = (length: number): number[] => Array.from({ length }, () => random.pick([0x02, 0x00, ACK, NAK, random.int(0, 255)]));
		await at.acked('s1');
		const before = process.memoryUsage().heapUsed;
		for (let burst = 0; burst < 1_000; burst += 1) {
			at.say(...noise(1_000));
			if (burst % 10 === 0) await at.pause(1);
		}
		// The noise may end like the start of an answer. In this pause the driver discards such a
		// start.
		await at.pause(500);
		at.say(...PAID);
		await until(() => expect(at.reports.at(-1)).toMatch(/^answer s1 00/));
		expect(at.reports).toEqual(['acked s1', 'answer s1 00 137500']);
		expect(at.said.filter((message) => message === '01')).toHaveLength(1);
		expect(at.said.filter((message) => message === 'NAK').length).toBeLessThanOrEqual(3);
		expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(150);
	},
);

conversation('the terminal is ready only after its first echo test', { unplugged: true, settings: { probe: 'echo' } }, async (at) => {
	await at.line.plug();
	await at.hears('17');
	expect(at.kiosk.told).toEqual(['starting']);
	await at.hears('17', '17');
	at.say(ACK, ...answer({ type: '17', amount: 0 }));
	await at.ready();
	await at.hears('17', '17', 'ACK');
	expect(at.reports).toEqual([]);
});
