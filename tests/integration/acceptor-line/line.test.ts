import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { randomFrom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { HOST } from './acceptor.ts';
import { type Incident, incident } from './incident.ts';
import { cpuSeconds, isFileOpen, residentMib } from './process.ts';

const KIOSKCTL = join(import.meta.dirname, '..', '..', '..', 'daemon', 'kioskctl');
const MONEY = { cashbox: [50_000], credited: [50_000] };
const NOTHING = { cashbox: [], credited: [] };

const ones = (byte: number): number => byte.toString(2).replaceAll('0', '').length;

/** Meaningless bytes and harmless status bytes that units and bad lines send. */
const NOISE = [0x00, 0x01, 0x03, 0x05, 0x1f, 0x2a, 0x2e, 0x3f, 0x55, 0x60, 0x71, 0x7f, 0xa5, 0xc3, 0xff] as const;
/** Every byte value except 27 (fishing), which locks the unit until staff unlock it. */
const FLOOD = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 0x27) as [number, ...number[]];

/**
 * Simulates a receiver set to 8N1, which loses every byte with an even number of ones.
 * @returns a function that ends the simulation
 */
function parityTrap(at: Incident): () => void {
	const { line } = at;
	const write = line.write.bind(line);
	line.write = (bytes) => write(bytes.filter((byte) => ones(byte) % 2 === 1));
	return () => {
		line.write = write;
	};
}

incident('no note is taken while wrong parity on receive loses half of the bytes', { deep: true, waits: true, on: ['tcp'] }, async (at) => {
	const mend = parityTrap(at);
	await at.ready();
	for (const type of [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46]) {
		const note = at.acceptor.offer(type);
		// If the type has an odd number of ones, it arrives, but without its ESCROW byte. The note
		// comes back because the daemon rejects it or the escrow time ends.
		if (ones(type) % 2 === 1) await until(() => expect(note.place).toBe('customer'), 6_000);
		else at.acceptor.giveBack();
	}
	expect(at.acceptor.count(HOST.accept)).toBe(0);
	mend();
	// A customer needs at least this long to insert the next note.
	await pause(2_000);
	await at.settles(NOTHING);
});

incident('no note is taken while wrong parity in both directions loses bytes of unit and daemon', { on: ['pty'] }, async (at) => {
	const mend = parityTrap(at);
	for (const byte of [HOST.poll, HOST.reject, HOST.hold, HOST.reset]) at.acceptor.deaf.add(byte);
	await at.open();
	for (const type of [0x40, 0x43, 0x45, 0x46]) {
		at.acceptor.offer(type);
		await pause(150);
		at.acceptor.giveBack();
	}
	expect(await at.cash()).not.toBe('takes notes');
	expect(at.acceptor.notes.map((note) => note.noteId)).toEqual([null, null, null, null]);
	mend();
	at.acceptor.deaf.clear();
	await at.takesNotes();
	// A customer needs at least this long to insert the next note.
	await pause(2_000);
	await at.settles(NOTHING);
});

for (const [transport, seed] of [
	['tcp', 11],
	['pty', 12],
] as const)
	incident(
		`each stacked note is credited once despite noise between valid bytes (seed ${seed})`,
		{ on: [transport], deep: transport === 'tcp' },
		async (at) => {
			const random = randomFrom(seed);
			const noise = (): number[] => random.bytes(NOISE, 4);
			await at.ready();
			at.acceptor.afterAccept = () => {
				at.acceptor.say(...noise());
				setTimeout(() => at.acceptor.stack([...noise(), 0x10, ...noise()]), 20);
			};
			for (let notes = 0; notes < 6; notes += 1) {
				at.acceptor.say(...noise());
				const note = at.acceptor.offer(0x45, []);
				// If noise falls between ESCROW and type, the daemon rejects the note.
				const torn = random.chance(1 / 3);
				at.acceptor.say(...noise(), 0x81, ...(torn ? [0x55] : []), 0x45, ...noise());
				// In heavy noise the daemon may reject even an intact report, because ESCROW and type could
				// be noise, too.
				await until(() => expect(torn ? ['customer'] : ['customer', 'cashbox']).toContain(note.place));
				await at.heard();
			}
			at.acceptor.afterAccept = () => at.acceptor.stack();
			await pause(2_000);
			const { cashbox } = at.acceptor;
			await at.settles({ cashbox, credited: cashbox });
		},
	);

incident(
	'during a flood of meaningless bytes at ten times the line rate, the daemon uses little memory and health shows the flood',
	{ deep: true, on: ['pty'] },
	async (at) => {
		await at.ready();
		const random = randomFrom(21);
		const before = residentMib(at.kiosk.daemon.pid);
		for (let burst = 0; burst < 100; burst += 1) {
			at.acceptor.say(...Array.from({ length: 200 }, () => random.pick([0x00, 0x55, 0xff, 0xc3, 0x7f])));
			if (burst === 50) {
				at.acceptor.polls = 'silent';
				expect(await at.cash()).toContain('that have no meaning');
			}
			await pause(20);
		}
		expect(residentMib(at.kiosk.daemon.pid) - before).toBeLessThan(60);
		at.acceptor.polls = 'status';
		await at.pays(0x45);
		await at.settles(MONEY);
	},
);

incident(
	'noise of 30,000 bytes with every byte value except fishing credits nothing, although it may close cash',
	{ deep: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		const random = randomFrom(22);
		at.acceptor.polls = 'silent';
		for (let burst = 0; burst < 1_500; burst += 1) {
			at.acceptor.say(...Array.from({ length: 20 }, () => random.pick(FLOOD)));
			await pause(5);
		}
		at.acceptor.polls = 'status';
		await at.heard();
		await until(async () => expect((await at.kiosk.health()).outbox.count).toBe(0));
		expect(at.booked()).toEqual([]);
		expect(at.acceptor.violations).toEqual([]);
	},
);

incident(
	'after the line breaks with a note in escrow, the note is in doubt if the unit stacks it, and not credited if the unit returns it',
	{ waits: true },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => void setTimeout(() => at.acceptor.stack(), 300);
		const note = at.acceptor.offer(0x45);
		if (at.transport === 'tcp') await pause(1);
		await at.line.unplug();
		await until(() => expect(['customer', 'cashbox']).toContain(note.place));
		await at.line.plug();
		await at.heard();
		at.acceptor.afterAccept = () => at.acceptor.stack();
		await at.close();
		const { in_doubt } = await at.kiosk.health();
		if (note.place === 'cashbox') expect(in_doubt).toMatchObject([{ nominal: 50_000 }]);
		await at.settles({ cashbox: [...at.acceptor.cashbox], credited: [], inDoubt: in_doubt.map((row) => row.nominal) });
	},
);

incident('if the line breaks after ACCEPT and the unit stacks the note, the note is in doubt once', { waits: true }, async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {};
	await at.accepted(0x45);
	await at.line.unplug();
	at.acceptor.stack();
	await at.line.plug();
	await at.heard();
	expect((await at.close()).body).toMatchObject({ received: 0, in_doubt: 50_000 });
	await at.settles({ cashbox: [50_000], credited: [], inDoubt: [50_000] });
});

incident(
	'after staff settle a note whose line broke, a later note that jams and is stacked is in doubt',
	{ deep: true, waits: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => {};
		const { noteId } = await at.accepted(0x45);
		await at.line.unplug();
		at.acceptor.stack();
		await at.line.plug();
		await until(() => expect(at.screen.of('kiosk_note_in_doubt')).toHaveLength(1));
		await promisify(execFile)(KIOSKCTL, [
			...['cash', 'settle', String(noteId), '--outcome', 'in-box', '--by', 'Sari', '--why', 'it lies there', '--yes'],
			...['--config', join(at.kiosk.directory, 'kiosk.toml')],
		]);
		await until(() => expect(at.booked()).toEqual([50_000]));
		// A jammed note does not return by itself.
		const { afterReject } = at.acceptor;
		at.acceptor.afterReject = () => {};
		at.acceptor.offer(0x46, [0x22]);
		await until(async () => expect(await at.cash()).toContain('(22)'));
		at.acceptor.afterReject = afterReject;
		at.acceptor.stack([0x2f, 0x10]);
		await at.settles({ cashbox: [50_000, 100_000], credited: [50_000], inDoubt: [null] });
	},
);

incident('if the line breaks during stacking and works again before STACKED, the note is credited', async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {};
	await at.accepted(0x45);
	await at.line.unplug();
	await until(async () => expect(await at.cash()).toContain('cannot be opened'));
	await at.line.plug();
	await at.heard();
	at.acceptor.stack();
	await until(() => expect(at.booked()).toEqual([50_000]));
	await at.settles(MONEY);
});

incident(
	'if the line breaks during stacking and the unit returns the note, the note is in doubt, never credited',
	{ deep: true, waits: true },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => {};
		await at.accepted(0x45);
		await at.line.unplug();
		at.acceptor.giveBack();
		await at.line.plug();
		await at.heard();
		await at.settles({ ...NOTHING, inDoubt: [50_000] });
	},
);

incident('after the cable is unplugged and plugged in three times, the acceptor takes notes again by itself', async (at) => {
	await at.ready();
	for (let times = 0; times < 3; times += 1) {
		await at.line.unplug();
		await until(async () => expect(await at.cash()).toContain('cannot be opened'));
		await at.line.plug();
		await at.takesNotes();
	}
	await at.pays(0x45);
	await at.settles(MONEY);
});

incident(
	'if an adapter closes the line each time it is opened, the daemon uses little processor time and later opens the line for good',
	{ deep: true, waits: true, on: ['pty'] },
	async (at) => {
		await at.open();
		const { pid } = at.kiosk.daemon;
		for (let times = 0; times < 4; times += 1) {
			await at.line.unplug();
			await until(async () => expect(await at.cash()).toContain('cannot be opened'));
			await at.line.plug();
			const terminal = realpathSync(at.line.port);
			const limit = performance.now() + 10_000;
			while (!isFileOpen(pid, terminal) && performance.now() < limit) await new Promise((resolve) => void setImmediate(resolve));
			process.kill(pid, 'SIGSTOP');
			await at.line.unplug();
			process.kill(pid, 'SIGCONT');
		}
		await at.line.plug();
		await at.takesNotes();
		const used = cpuSeconds(pid);
		await pause(2_000);
		expect(cpuSeconds(pid) - used).toBeLessThan(0.6);
		await at.pays(0x45);
		await at.settles(MONEY);
	},
);

incident('if a stall of 6 s delays ESCROW until the note is returned, the daemon sends no ACCEPT', { waits: true }, async (at) => {
	await at.ready();
	const { pid } = at.kiosk.daemon;
	at.acceptor.afterReject = () => at.acceptor.giveBack([]);
	process.kill(pid, 'SIGSTOP');
	const note = at.acceptor.offer(0x45);
	await pause(6_000);
	expect(note.place).toBe('customer');
	process.kill(pid, 'SIGCONT');
	await at.heard();
	expect(at.acceptor.count(HOST.accept)).toBe(0);
	// A customer needs at least this long to insert the next note.
	await pause(2_000);
	await at.settles(NOTHING);
});

incident('after a stall of 6 s with two notes, the daemon credits only stacked notes', { deep: true, waits: true }, async (at) => {
	await at.ready();
	const { pid } = at.kiosk.daemon;
	process.kill(pid, 'SIGSTOP');
	at.acceptor.offer(0x45);
	await pause(5_200);
	at.acceptor.offer(0x43);
	await pause(800);
	process.kill(pid, 'SIGCONT');
	await until(() => expect(at.acceptor.current).toBeUndefined());
	const { cashbox } = at.acceptor;
	await at.settles({ cashbox, credited: cashbox });
});

incident('a note that is stacked while the kiosk stalls for 6 s is credited', { deep: true, waits: true, on: ['pty'] }, async (at) => {
	await at.ready();
	const { pid } = at.kiosk.daemon;
	at.acceptor.afterAccept = () => {};
	await at.accepted(0x45);
	process.kill(pid, 'SIGSTOP');
	at.acceptor.stack();
	await pause(6_000);
	process.kill(pid, 'SIGCONT');
	await until(() => expect(at.booked()).toEqual([50_000]));
	await at.settles(MONEY);
});
