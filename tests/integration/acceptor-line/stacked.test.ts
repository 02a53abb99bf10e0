/**
 * Tests an unexpected STACKED (repeated, without a note, before ACCEPT or for a rejected note) and
 * a repeated RETURNED.
 */

import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { HOST } from './acceptor.ts';
import { incident } from './incident.ts';

const MONEY = { cashbox: [50_000], credited: [50_000] };
const NOTHING = { cashbox: [], credited: [] };

incident('a note whose STACKED arrives three times is credited once', { on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => at.acceptor.stack([0x10, 0x10]);
	await at.pays(0x45);
	at.acceptor.say(0x10);
	at.acceptor.say(HOST.enable, 0x10);
	await at.settles(MONEY);
});

incident('a note whose RETURNED arrives twice is credited once after the customer inserts it again', { on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => at.acceptor.giveBack([0x11, 0x11]);
	at.acceptor.offer(0x45);
	await until(() => expect(at.returns()).toEqual(['rejected_by_machine']));
	at.acceptor.afterAccept = () => at.acceptor.stack();
	await at.pays(0x45);
	await at.settles(MONEY);
});

incident('an unexpected STACKED during a payment credits nothing and is listed for staff', { on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.say(0x10);
	await at.settles({ ...NOTHING, inDoubt: [null] });
});

incident('an unexpected STACKED that arrives twice without a payment is listed once', { on: ['pty'] }, async (at) => {
	at.acceptor.say(0x10, 0x10);
	await at.settles({ ...NOTHING, inDoubt: [null] });
});

incident('a rejected note that the unit stacks anyway is in doubt', { on: ['tcp'], acceptor: 'switched_off = [50000]' }, async (at) => {
	await at.ready();
	at.acceptor.afterReject = () => at.acceptor.stack();
	at.acceptor.offer(0x45);
	await until(() => expect(at.returns()).toEqual(['note_switched_off']));
	await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
});

incident('ESCROW and STACKED in one write, before ACCEPT is possible, put the note in doubt', { on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.offer(0x45, []);
	at.acceptor.stack([0x81, 0x45, 0x10]);
	await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
	expect(at.acceptor.wrote.filter(({ byte }) => byte === HOST.accept)).toHaveLength(1);
});
