import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { HOST } from './acceptor.ts';
import { type Incident, incident } from './incident.ts';

const MONEY = { cashbox: [50_000], credited: [50_000] };
const NOTHING = { cashbox: [], credited: [] };

/** @returns the money that is expected if exactly the notes in the cashbox are credited */
const asThePaperLies = (at: Incident) => ({ cashbox: [...at.acceptor.cashbox], credited: [...at.acceptor.cashbox] });

for (const lead of [0, 2, 5])
	incident(`if the customer taps "Kembali" ${lead} ms after ESCROW, the note is credited or returned`, { deep: lead !== 2 }, async (at) => {
		await at.ready();
		const note = at.acceptor.offer(0x45);
		if (lead) await pause(lead);
		const closed = await at.close();
		await until(() => expect(['customer', 'cashbox']).toContain(note.place));
		expect(closed.body).toMatchObject({ received: note.place === 'cashbox' ? 50_000 : 0, in_doubt: 0 });
		await at.settles(asThePaperLies(at));
	});

incident('if the customer taps "Kembali" during stacking, the answer waits for STACKED', { on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), 1_000);
	await at.accepted(0x45);
	expect((await at.close()).body).toMatchObject({ received: 50_000, is_paid: false, in_doubt: 0 });
	await at.settles(MONEY);
});

incident('if the customer taps "Kembali" while the motor returns a note, nothing is credited', { deep: true, on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.giveBack(), 500);
	await at.accepted(0x45);
	expect((await at.close()).body).toMatchObject({ received: 0, in_doubt: 0 });
	await at.settles(NOTHING);
});

incident(
	'if the customer taps "Kembali" and reopens the invoice while a note is stacked, both calls are answered',
	{ deep: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), 1_500);
		await at.accepted(0x45);
		const closing = at.close();
		await pause(200);
		await at.open(at.invoice);
		await until(() => expect(at.booked()).toEqual([50_000]));
		const answer = await Promise.race([closing, pause(5_000)]);
		expect(answer).toMatchObject({ status: 200 });
		await at.settles(MONEY);
	},
);

incident('a note stacked while the next customer opens the acceptor is credited to the previous customer', { on: ['pty'] }, async (at) => {
	await at.ready();
	const first = at.invoice;
	at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), 1_000);
	await at.accepted(0x45);
	expect(await at.open(at.newInvoice())).toMatchObject({ entries: [] });
	await until(() => expect(at.kiosk.backOffice.books.notes).toMatchObject([{ id: first.id, nominal: 50_000 }]));
	await at.settles(MONEY);
});

incident('a note inserted right after the invoice was covered is returned', { on: ['tcp'] }, async (at) => {
	await at.ready(at.newInvoice(50_000));
	at.acceptor.afterAccept = () => {
		at.acceptor.stack([]);
		at.acceptor.offer(0x46, [0x10, 0x81, 0x46]);
	};
	at.acceptor.offer(0x45);
	await until(() => expect(at.screen.of('payment_notification').at(-1)).toMatchObject({ is_paid: true }));
	await until(() => expect(at.acceptor.notes[1]?.place).toBe('customer'));
	expect(at.returns()).toEqual(['closing']);
	await at.settles(MONEY);
});

incident('if the invoice is paid elsewhere during stacking, the note is still credited', { deep: true, on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), 800);
	await at.accepted(0x45);
	at.kiosk.backOffice.books.pay(at.invoice, 'qris');
	await until(() => expect(at.screen.of('payment_notification').at(-1)).toMatchObject({ is_paid: true }));
	await until(() => expect(at.booked()).toEqual([50_000]));
	await at.settles(MONEY);
});

incident(
	'if the invoice is paid elsewhere at the moment of escrow, the note is credited or returned',
	{ deep: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		at.kiosk.backOffice.books.pay(at.invoice, 'qris');
		const note = at.acceptor.offer(0x45);
		await until(() => expect(['customer', 'cashbox']).toContain(note.place));
		await at.settles(asThePaperLies(at));
	},
);

incident('after kill -9 between ACCEPT and STACKED, a note stacked before the restart is in doubt', { on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {};
	await at.accepted(0x45);
	await at.crash(() => at.acceptor.stack());
	expect((await at.kiosk.health()).in_doubt).toMatchObject([{ nominal: 50_000, noinvoice: at.invoice.noinvoice }]);
	await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
});

incident('after kill -9 between ACCEPT and STACKED, a note stacked after the restart is in doubt once', { deep: true }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {};
	await at.accepted(0x45);
	await at.crash();
	at.acceptor.stack();
	await at.heard();
	const { in_doubt } = await at.kiosk.health();
	expect(in_doubt).toMatchObject([{ nominal: 50_000, why: expect.stringContaining('stacked') }]);
	await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
});

incident(
	'if a note from before kill -9 is stacked late, the next customer’s note is returned and nothing is credited',
	{ deep: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => {};
		await at.accepted(0x45);
		await at.crash();
		await at.open(at.newInvoice());
		await at.waits();
		const next = at.acceptor.offer(0x46);
		await until(() => expect(next.place).toBe('customer'));
		await at.heard();
		at.acceptor.stack();
		await at.heard();
		expect([at.booked(), at.returns(), at.screen.of('machine_ready').at(-1)]).toEqual([
			[],
			['rejected_by_machine'],
			expect.objectContaining({ is_ready: false, state: 'busy' }),
		]);
		await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000, null] });
	},
);

incident('after kill -9 between ACCEPT and RETURNED, the note is never credited', { deep: true, on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {};
	await at.accepted(0x45);
	await at.crash();
	at.acceptor.giveBack();
	await at.settles({ cashbox: [], credited: [], inDoubt: [50_000] });
});

incident('a note that is inserted between kill -9 and the restart is returned', { on: ['pty'] }, async (at) => {
	await at.ready();
	await at.kiosk.crash(() => void at.acceptor.offer(0x45));
	at.screen = await at.kiosk.screen();
	await until(() => expect(at.acceptor.notes[0]?.place).toBe('customer'));
	await at.settles(NOTHING);
});

incident(
	'after kill -9 the new process rejects a note that the unit repeats in every poll answer',
	{ deep: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		await at.kiosk.daemon.kill();
		const note = at.acceptor.offer(0x45);
		at.acceptor.polls = [0x81, 0x45];
		at.acceptor.afterReject = () => {
			at.acceptor.polls = 'status';
			at.acceptor.giveBack();
		};
		await at.crash();
		await until(() => expect(note.place).toBe('customer'), 4_000);
		expect(at.acceptor.count(HOST.accept)).toBe(0);
		await at.settles(NOTHING);
	},
);

incident('after kill -9 between STACKED and upload, the note is uploaded once', { on: ['tcp'] }, async (at) => {
	await at.ready();
	await at.kiosk.backOffice.setNetwork({ up: false });
	at.acceptor.offer(0x45);
	await until(() => expect(at.shown()).toEqual([50_000]));
	await at.kiosk.crash(() => at.kiosk.backOffice.setNetwork({ up: true }));
	await until(() => expect(at.booked()).toEqual([50_000]));
	at.screen = await at.kiosk.screen();
	await at.settles(MONEY);
});

incident('a daemon that is stopped during stacking credits the note before it ends', { on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), 1_000);
	await at.accepted(0x45);
	expect(await at.kiosk.daemon.stop()).toBe(0);
	expect(at.ledger()).toMatchObject([{ nominal: 50_000, state: 'credited' }]);
	await at.crash();
	await at.settles(MONEY);
});

incident('if another program locks the journal for 3 s during STACKED, the note is credited or in doubt', { on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {};
	await at.accepted(0x45);
	const other = new DatabaseSync(join(at.kiosk.directory, 'journal', 'journal.sqlite'));
	other.exec('BEGIN IMMEDIATE');
	at.acceptor.stack();
	await pause(3_000);
	other.exec('COMMIT');
	other.close();
	await until(async () => {
		const { in_doubt } = await at.kiosk.health();
		expect(in_doubt.length + at.booked().length).toBe(1);
	}, 10_000);
});

incident(
	'if another program locks the journal while a note is in escrow, the note is credited or returned',
	{ deep: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		const other = new DatabaseSync(join(at.kiosk.directory, 'journal', 'journal.sqlite'));
		other.exec('BEGIN IMMEDIATE');
		const note = at.acceptor.offer(0x45);
		await pause(2_500);
		other.exec('COMMIT');
		other.close();
		await until(() => expect(['customer', 'cashbox']).toContain(note.place));
		await at.settles(asThePaperLies(at));
	},
);
