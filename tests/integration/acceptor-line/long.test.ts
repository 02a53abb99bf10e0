// @module-tag deep

import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { HOST } from './acceptor.ts';
import { incident } from './incident.ts';
import { workingDay } from './working-day.ts';

/** If an accepted note has no outcome within this time, it is in doubt. */
const OUTCOME_MS = 15_000;

incident(
	'every stacked note is recorded once despite noise, repeats, restarts, kills and unplugged cables',
	{ waits: true, acceptor: 'switched_off = [1000]' },
	workingDay,
);

incident('a note whose STACKED comes after 12 s is credited', { waits: true, on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), 12_000);
	at.acceptor.offer(0x45);
	await until(() => expect(at.booked()).toEqual([50_000]));
	expect(at.screen.of('kiosk_note_in_doubt')).toEqual([]);
	await at.settles({ cashbox: [50_000], credited: [50_000] });
});

incident('a note whose STACKED comes after 20 s is first in doubt, then credited once', { waits: true }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), 20_000);
	at.acceptor.offer(0x45);
	await until(() => expect(at.screen.of('kiosk_note_in_doubt')).toMatchObject([{ nominal: 50_000 }]));
	expect(at.booked()).toEqual([]);
	await until(() => expect(at.booked()).toEqual([50_000]));
	await until(() => expect(at.shown()).toEqual([50_000]));
	await at.settles({ cashbox: [50_000], credited: [50_000] });
});

incident('if RETURNED comes after 17 s, cash opens for the next customer only then', { waits: true, on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.giveBack(), OUTCOME_MS + 2_000);
	const note = await at.accepted(0x45);
	await at.close();
	await at.open(at.newInvoice());
	await at.waits();
	await until(() => expect(note.place).toBe('customer'));
	await at.takesNotes();
	await at.settles({ cashbox: [], credited: [] });
});

incident(
	'if STACKED comes after 17 s, the note is credited to its customer and cash opens for the next customer only then',
	{ waits: true, on: ['pty'] },
	async (at) => {
		await at.ready();
		const first = at.invoice;
		at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), OUTCOME_MS + 2_000);
		await at.accepted(0x45);
		await at.close();
		await at.open(at.newInvoice());
		await at.waits();
		await until(() => expect(at.kiosk.backOffice.books.notes).toMatchObject([{ id: first.id, nominal: 50_000 }]));
		await at.takesNotes();
		await at.settles({ cashbox: [50_000], credited: [50_000] });
	},
);

incident('a note without an outcome is in doubt only once, even after a restart', { waits: true, on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => at.acceptor.stack([]);
	await at.accepted(0x45);
	await until(() => expect(at.screen.of('kiosk_note_in_doubt')).toHaveLength(1));
	await at.crash();
	await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
});

incident('the payment continues after the unit was silent for a while', async (at) => {
	await at.ready();
	await at.pays(0x45);
	at.acceptor.polls = 'silent';
	await until(async () => expect(await at.cash()).toContain('does not answer polls'));
	at.acceptor.polls = 'status';
	await at.pays(0x43);
	await at.settles({ cashbox: [50_000, 10_000], credited: [50_000, 10_000] });
	expect(at.acceptor.count(HOST.reset)).toBe(0);
});
