/**
 * Tests escrow and return of notes when the unit's or the daemon's bytes arrive once, twice, late
 * or not at all.
 */

import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { HOST } from './acceptor.ts';
import { incident } from './incident.ts';

const MONEY = { cashbox: [50_000], credited: [50_000] };
const NOTHING = { cashbox: [], credited: [] };

incident('a note is credited after the usual bytes', async (at) => {
	await at.ready();
	await at.pays(0x45);
	await until(() => expect(at.shown()).toEqual([50_000]));
	expect(at.acceptor.count(HOST.accept)).toBe(1);
	await at.settles(MONEY);
});

incident('a note is credited on a slow line with a second between bytes', { deep: true, waits: true }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => void at.acceptor.sayApart(1_000, HOST.enable, HOST.enable).then(() => at.acceptor.stack());
	at.acceptor.offer(0x45, []);
	await at.acceptor.sayApart(1_000, HOST.enable, 0x81, 0x45);
	await until(() => expect(at.booked()).toEqual([50_000]));
	await at.settles(MONEY);
});

incident('ESCROW and type twice in one write credit one note', async (at) => {
	await at.ready();
	at.acceptor.offer(0x45, [0x81, 0x45, 0x81, 0x45]);
	await until(() => expect(at.booked()).toEqual([50_000]));
	expect(at.acceptor.count(HOST.accept)).toBe(1);
	await at.settles(MONEY);
});

incident('ESCROW and type repeated after ACCEPT cause no second ACCEPT', { deep: true, on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {
		at.acceptor.say(0x81, 0x45);
		setTimeout(() => at.acceptor.stack(), 100);
	};
	await at.pays(0x45);
	expect(at.acceptor.count(HOST.accept)).toBe(1);
	await at.settles(MONEY);
});

incident('a type sent three times, before and after ACCEPT, credits one note', { deep: true, on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {
		at.acceptor.say(0x45);
		setTimeout(() => at.acceptor.stack([0x45, 0x10]), 50);
	};
	at.acceptor.offer(0x45, [0x81, 0x45, 0x45]);
	await until(() => expect(at.booked()).toEqual([50_000]));
	await at.settles(MONEY);
});

incident('NOTE_REJECTED for an unrecognised note is shown on the screen', { on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.say(0x29);
	await until(() => expect(at.returns()).toEqual(['rejected_by_machine']));
	await at.settles(NOTHING);
});

for (const [byte, what] of [
	[0x29, 'rejects the note'],
	[0x23, 'feels the note being pulled out'],
] as const)
	incident(
		`if the unit ${what} in the same write as ESCROW, the daemon sends no ACCEPT`,
		{ on: ['pty'], deep: byte === 0x23 },
		async (at) => {
			await at.ready();
			at.acceptor.offer(0x45, []);
			at.acceptor.giveBack([0x81, 0x45, byte]);
			at.acceptor.say(0x2f);
			await at.settles(NOTHING);
			expect(at.acceptor.count(HOST.accept)).toBe(1);
		},
	);

incident('ESCROW, RETURNED and the next ESCROW in one read credit only the next note', async (at) => {
	await at.ready();
	at.acceptor.offer(0x45, []);
	at.acceptor.giveBack([]);
	at.acceptor.offer(0x46, [0x81, 0x45, 0x11, 0x81, 0x46]);
	await until(() => expect(at.booked()).toEqual([100_000]));
	expect(at.acceptor.count(HOST.accept)).toBe(1);
	await at.settles({ cashbox: [100_000], credited: [100_000] });
});

incident('STACKED of a note and ESCROW of the next in one read credit both notes', async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {
		at.acceptor.stack([]);
		at.acceptor.afterAccept = () => at.acceptor.stack();
		at.acceptor.offer(0x46, [HOST.enable, 0x10, 0x81, 0x46, HOST.enable]);
	};
	at.acceptor.offer(0x45);
	await until(() => expect(at.booked()).toEqual([50_000, 100_000]));
	await at.settles({ cashbox: [50_000, 100_000], credited: [50_000, 100_000] });
});

incident('two quick equal notes are both credited, although each STACKED is repeated', { deep: true, on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {
		at.acceptor.stack([]);
		at.acceptor.afterAccept = () => at.acceptor.stack([0x10, 0x10]);
		at.acceptor.offer(0x45, [0x10, 0x10, 0x81, 0x45]);
	};
	at.acceptor.offer(0x45);
	await until(() => expect(at.booked()).toEqual([50_000, 50_000]));
	await at.settles({ cashbox: [50_000, 50_000], credited: [50_000, 50_000] });
});

incident('a note for which the unit sends two types is rejected', { on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.offer(0x45, [0x81, 0x44, 0x81, 0x45]);
	await until(() => expect(at.acceptor.notes[0]?.place).toBe('customer'));
	expect(at.returns()).toEqual(['unreadable']);
	await at.settles(NOTHING);
});

incident('a note with another byte between ESCROW and type is rejected', { deep: true, on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.offer(0x45, [0x81, HOST.enable, 0x45]);
	await until(() => expect(at.acceptor.notes[0]?.place).toBe('customer'));
	await at.settles(NOTHING);
});

incident('if the type of a note is lost, the daemon rejects the note after the next poll answer', async (at) => {
	await at.ready();
	at.acceptor.offer(0x45, [0x81]);
	await until(() => expect(at.acceptor.notes[0]?.place).toBe('customer'), 3_000);
	await at.settles(NOTHING);
});

incident('if ESCROW is lost and only the type arrives, the daemon rejects the note', async (at) => {
	await at.ready();
	at.acceptor.offer(0x46, [0x46]);
	await until(() => expect(at.acceptor.notes[0]?.place).toBe('customer'), 3_000);
	expect(at.acceptor.count(HOST.accept)).toBe(0);
	await at.settles(NOTHING);
});

incident('a note that the unit repeats in every poll answer and stacks after 2.5 s is credited', { deep: true }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {
		at.acceptor.polls = [0x81, 0x45];
		setTimeout(() => {
			at.acceptor.polls = 'status';
			at.acceptor.stack();
		}, 2_500);
	};
	at.acceptor.offer(0x45);
	await until(() => expect(at.acceptor.cashbox).toEqual([50_000]));
	await at.settles(MONEY);
});

incident(
	'if STACKED of a note is lost and an equal note follows at once, the first note is in doubt, not returned',
	{ deep: true, waits: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => {
			at.acceptor.polls = [0x81, 0x45];
			setTimeout(() => {
				at.acceptor.polls = 'status';
				at.acceptor.stack([]);
			}, 3_000);
		};
		at.acceptor.offer(0x45);
		await until(() => expect(at.acceptor.cashbox).toEqual([50_000]));
		at.acceptor.afterAccept = () => at.acceptor.stack();
		await new Promise((resolve) => void setTimeout(resolve, 1_200));
		const second = at.acceptor.offer(0x45);
		await until(() => expect(second.place).toBe('customer'));
		await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
	},
);

incident(
	'if ACCEPT is lost and the unit repeats ESCROW until it returns the note, the note is not in doubt',
	{ waits: true },
	async (at) => {
		await at.ready();
		at.acceptor.deaf.add(HOST.accept);
		const note = at.acceptor.offer(0x45);
		const asking = setInterval(() => note.place === 'escrow' && at.acceptor.say(0x81, 0x45), 2_000);
		await until(() => expect(note.place).toBe('customer'));
		clearInterval(asking);
		at.acceptor.deaf.clear();
		await at.takesNotes();
		await at.settles(NOTHING);
	},
);

incident(
	'if ACCEPT is lost and the unit returns the note after 5 s, the next note is credited',
	{ deep: true, waits: true, on: ['pty'] },
	async (at) => {
		await at.ready();
		at.acceptor.deaf.add(HOST.accept);
		const note = at.acceptor.offer(0x45);
		await until(() => expect(note.place).toBe('customer'));
		at.acceptor.deaf.clear();
		await at.pays(0x45);
		await at.settles(MONEY);
	},
);

incident('if REJECT is lost and the unit repeats ESCROW, the daemon sends no ACCEPT', { waits: true, on: ['tcp'] }, async (at) => {
	at.acceptor.deaf.add(HOST.reject);
	const note = at.acceptor.offer(0x45);
	const asking = setInterval(() => note.place === 'escrow' && at.acceptor.say(0x81, 0x45), 400);
	await until(() => expect(note.place).toBe('customer'));
	clearInterval(asking);
	at.acceptor.deaf.clear();
	expect(at.acceptor.count(HOST.accept)).toBe(0);
	await at.settles(NOTHING);
});

incident(
	'if RETURNED of a rejected note is lost, a second note is taken or returned with a reason',
	{ deep: true, on: ['tcp'], acceptor: 'switched_off = [1000]' },
	async (at) => {
		await at.ready();
		at.acceptor.afterReject = () => at.acceptor.giveBack([]);
		const first = at.acceptor.offer(0x40);
		await until(() => expect(first.place).toBe('customer'));
		const second = at.acceptor.offer(0x45);
		await until(() => expect(['customer', 'cashbox']).toContain(second.place));
		await at.heard();
		if (second.place === 'customer') expect(at.returns()).toHaveLength(2);
	},
);

incident('a note without an open payment is returned', { on: ['pty'] }, async (at) => {
	const note = at.acceptor.offer(0x45);
	await until(() => expect(note.place).toBe('customer'));
	expect(at.returns()).toEqual(['no_session']);
	await at.settles(NOTHING);
});
