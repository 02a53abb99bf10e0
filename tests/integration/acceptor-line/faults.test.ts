import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { HOST } from './acceptor.ts';
import { type Incident, incident } from './incident.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const MONEY = { cashbox: [50_000], credited: [50_000] };
const NOTHING = { cashbox: [], credited: [] };
const hex = (byte: number): string => `(${byte.toString(16)})`;
/**
 * Faults that clear by themselves. Fishing (27) is not in the list, because it locks the unit until
 * staff unlock it.
 */
const PASSING = [0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x28];

/** Unlocks the acceptor as staff do. */
const unlock = (at: Incident) =>
	promisify(execFile)(join(ROOT, 'daemon', 'kioskctl'), [
		...['acceptor', 'unlock', '--by', 'Sari', '--why', 'unit is clean'],
		...['--config', join(at.kiosk.directory, 'kiosk.toml')],
	]);

const shows = (at: Incident, text: string): Promise<void> => until(async () => expect(await at.cash()).toContain(text));

incident('a note that is stacked during a fault is credited, and the acceptor closes until the fault ends', { on: ['tcp'] }, async (at) => {
	await at.ready();
	for (const fault of PASSING) {
		const before = at.booked().length;
		at.acceptor.afterAccept = () => {
			at.acceptor.polls = [fault];
			at.acceptor.say(fault);
		};
		at.acceptor.offer(0x45);
		await shows(at, fault === 0x23 ? 'pulled out' : hex(fault));
		expect(at.booked()).toHaveLength(before);
		at.acceptor.stack();
		await until(() => expect(at.booked()).toHaveLength(before + 1));
		await until(() => expect(at.acceptor.enabled).toBe(false));
		at.acceptor.polls = 'status';
		at.acceptor.say(0x2f);
		await at.takesNotes();
	}
	at.acceptor.afterAccept = () => at.acceptor.stack();
	const all = PASSING.map(() => 50_000);
	await at.settles({ cashbox: all, credited: all });
});

incident('a note that jams on the way to the cashbox and is then RETURNED is not credited', { deep: true, on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => at.acceptor.say(0x22);
	at.acceptor.offer(0x45);
	await shows(at, '(22)');
	at.acceptor.giveBack([0x11, 0x2f]);
	await until(() => expect(at.returns()).toEqual(['rejected_by_machine']));
	at.acceptor.afterAccept = () => at.acceptor.stack();
	await at.pays(0x45);
	await at.settles(MONEY);
});

incident('"Reload Mesin" during a jam sends no reset while a note is inside', { on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => at.acceptor.say(0x22);
	at.acceptor.offer(0x45);
	await shows(at, '(22)');
	for (let times = 0; times < 3; times += 1) await at.open(at.invoice);
	await at.heard();
	expect(at.acceptor.count(HOST.reset)).toBe(0);
	at.acceptor.stack([0x10, 0x2f]);
	await until(() => expect(at.booked()).toEqual([50_000]));
	await at.settles(MONEY);
});

incident(
	'"Reload Mesin" during a jam without a note inside sends one reset, which clears the jam',
	{ deep: true, on: ['pty'] },
	async (at) => {
		await at.ready();
		at.acceptor.polls = [0x22];
		at.acceptor.onByte = (byte) => {
			if (byte !== HOST.reset) return;
			at.acceptor.polls = 'status';
			at.acceptor.restart();
		};
		await shows(at, '(22)');
		await at.open(at.invoice);
		await at.takesNotes();
		expect(at.acceptor.count(HOST.reset)).toBe(1);
		await at.pays(0x45);
		await at.settles(MONEY);
	},
);

incident(
	'fishing with a string locks the unit until staff unlock it, even after FAULT_CLEARED and a restart',
	{ on: ['tcp'] },
	async (at) => {
		await at.ready();
		await at.pays(0x45);
		at.acceptor.say(0x27);
		await shows(at, '(27)');
		at.acceptor.say(0x2f);
		await at.heard();
		await at.heard();
		await shows(at, '(27)');
		expect(at.acceptor.enabled).toBe(false);
		await at.crash();
		await at.open(at.invoice);
		await shows(at, '(27)');
		expect(at.acceptor.enabled).toBe(false);
		await at.balances(MONEY);
		await unlock(at);
		await at.takesNotes();
		await at.settles(MONEY);
	},
);

incident(
	'if fishing is reported during stacking and the note is returned, nothing is credited and the unit is locked',
	{ deep: true, on: ['pty'] },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => at.acceptor.say(0x27);
		at.acceptor.offer(0x45);
		await shows(at, '(27)');
		expect(at.booked()).toEqual([]);
		at.acceptor.giveBack([0x11, 0x2f]);
		await at.heard();
		await at.balances(NOTHING);
		await shows(at, '(27)');
	},
);

for (const [fault, name] of [
	[0x27, 'the unit reports fishing'],
	[0x24, 'the cashbox is out'],
] as const)
	incident(`if ${name}, the next note is rejected`, { deep: fault === 0x27 }, async (at) => {
		await at.ready();
		at.acceptor.polls = [fault];
		await shows(at, hex(fault));
		const note = at.acceptor.offer(0x45);
		await until(() => expect(['customer', 'cashbox']).toContain(note.place));
		expect(at.acceptor.count(HOST.accept)).toBe(0);
		await at.heard();
		await at.balances(NOTHING);
	});

incident('the payment continues after the cashbox was removed and put back', { on: ['tcp'] }, async (at) => {
	await at.ready();
	await at.pays(0x45);
	at.acceptor.polls = [0x24];
	at.acceptor.say(0x24);
	await shows(at, '(24)');
	await until(() => expect(at.acceptor.enabled).toBe(false));
	at.acceptor.polls = 'status';
	await at.takesNotes();
	expect(await at.open(at.invoice)).toMatchObject({ entries: [{ nominal: 50_000 }] });
	await at.pays(0x43);
	await at.settles({ cashbox: [50_000, 10_000], credited: [50_000, 10_000] });
});

incident(
	'if a note fills the cashbox, the note is credited and the payment continues after the box was emptied',
	{ on: ['pty'] },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => {
			at.acceptor.polls = [0x28];
			at.acceptor.stack([0x10, 0x28]);
		};
		at.acceptor.offer(0x45);
		await until(() => expect(at.booked()).toEqual([50_000]));
		await shows(at, '(28)');
		at.acceptor.afterAccept = () => at.acceptor.stack();
		at.acceptor.polls = 'status';
		at.acceptor.say(0x2f);
		await at.pays(0x45);
		await at.settles({ cashbox: [50_000, 50_000], credited: [50_000, 50_000] });
	},
);

incident('a note is credited despite INVALID_COMMAND, reserved codes and parity replacements', { on: ['pty'] }, async (at) => {
	await at.ready();
	at.acceptor.polls = [0x2a, HOST.enable, 0x2e, 0x3f, 0x3f, 0x2b, 0x2d];
	at.acceptor.afterAccept = () => {
		at.acceptor.say(0x2a, 0x3f, 0x2e);
		setTimeout(() => at.acceptor.stack([0x3f, 0x10, 0x3f]), 50);
	};
	at.acceptor.offer(0x45);
	await until(() => expect(at.booked()).toEqual([50_000]));
	await until(() => expect(at.kiosk.daemon.events('acceptor.parity_suspected')).toHaveLength(1));
	at.acceptor.afterAccept = () => at.acceptor.stack();
	at.acceptor.polls = 'status';
	await at.settles(MONEY);
});

incident('a note is credited although the unit is busy for three seconds while stacking', { deep: true, on: ['tcp'] }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {
		at.acceptor.polls = [0x71];
		setTimeout(() => {
			at.acceptor.polls = 'status';
			at.acceptor.stack();
		}, 3_000);
	};
	at.acceptor.offer(0x45);
	await until(() => expect(at.booked()).toEqual([50_000]));
	await at.settles(MONEY);
});

incident(
	'if the motor fails with a note inside, the note is in doubt once and customers can pay after the repair',
	{ waits: true, on: ['pty'] },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => {
			at.acceptor.polls = [0x20];
			at.acceptor.say(0x20);
		};
		const note = await at.accepted(0x45);
		expect((await at.close()).body).toMatchObject({ in_doubt: 50_000, received: 0 });
		await until(() => expect(at.screen.of('kiosk_note_in_doubt')).toHaveLength(1));
		// The technician moves the note from the transport to the cashbox.
		note.place = 'cashbox';
		at.acceptor.afterAccept = () => at.acceptor.stack();
		at.acceptor.polls = 'status';
		at.acceptor.restart();
		await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
	},
);
