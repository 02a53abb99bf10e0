/** The kiosk returns genuine notes that the owner does not accept, and takes all others. */

import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { HOST } from './acceptor.ts';
import { incident } from './incident.ts';

const MONEY = { cashbox: [50_000], credited: [50_000] };
const NOTHING = { cashbox: [], credited: [] };

incident('notes of unmapped types are returned one by one', { on: ['pty'] }, async (at) => {
	await at.ready();
	for (let type = 0x47; type <= 0x4f; type += 1) {
		const note = at.acceptor.offer(type);
		await until(() => expect(note.place).toBe('customer'));
	}
	expect(new Set(at.returns())).toEqual(new Set(['unmapped_note']));
	expect(at.returns()).toHaveLength(9);
	await at.settles(NOTHING);
});

incident(
	'a note of a switched-off value is returned, and other notes are taken',
	{ on: ['tcp'], acceptor: 'switched_off = [1000]' },
	async (at) => {
		await at.ready();
		const note = at.acceptor.offer(0x40);
		await until(() => expect(note.place).toBe('customer'));
		expect(at.returns()).toEqual(['note_switched_off']);
		await at.pays(0x45);
		await at.settles(MONEY);
	},
);

incident(
	'a note that would exceed the overpayment limit is returned, and a note within the limit is taken',
	{ on: ['tcp'], acceptor: 'overpay_limit = 20000' },
	async (at) => {
		await at.ready(at.newInvoice(60_000));
		for (const [type, taken] of [
			[0x46, false],
			[0x45, true],
			[0x45, false],
			[0x44, true],
		] as const) {
			const note = at.acceptor.offer(type);
			await until(() => expect(note.place).toBe(taken ? 'cashbox' : 'customer'));
			if (taken) await until(() => expect(at.shown()).toContain(type === 0x45 ? 50_000 : 20_000));
		}
		expect(at.returns()).toEqual(['too_large', 'too_large']);
		await until(() => expect(at.screen.of('payment_notification').at(-1)).toMatchObject({ id: at.invoice.id, is_paid: true }));
		await at.settles({ cashbox: [50_000, 20_000], credited: [50_000, 20_000] });
	},
);

incident('a unit that echoes ENABLE and INHIBIT and answers polls after 1.2 s takes notes', { on: ['pty'] }, async (at) => {
	at.acceptor.polls = 'silent';
	at.acceptor.onByte = (byte) => {
		if (byte === HOST.enable || byte === HOST.inhibit) at.acceptor.say(byte);
		if (byte === HOST.poll) setTimeout(() => at.acceptor.say(at.acceptor.enabled ? HOST.enable : HOST.inhibit), 1_200);
	};
	await at.ready();
	await at.pays(0x45);
	await at.settles(MONEY);
});
