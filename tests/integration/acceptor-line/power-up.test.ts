import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { HOST } from './acceptor.ts';
import { type Incident, incident } from './incident.ts';

const MONEY = { cashbox: [50_000], credited: [50_000] };
const IN_DOUBT = { credited: [], inDoubt: [50_000] };
/** After a power-up the unit waits this long for ACCEPT. Then it inhibits itself. */
const ANSWER_MS = 2_000;
/**
 * Time limit within which ACCEPT must arrive if only one of the two power-up bytes came. This byte
 * may be noise, so the daemon sends ACCEPT only when no note can be in escrow any more.
 */
const HALF_ANSWER_MS = 9_000;

/**
 * Makes the unit answer polls with these bytes until it receives ACCEPT.
 * @returns whether it has received ACCEPT
 */
function unsynchronised(at: Incident, polls: number[] = [HOST.inhibit]): () => boolean {
	let synchronised = false;
	at.acceptor.polls = polls;
	at.acceptor.onByte = (byte) => {
		if (byte !== HOST.accept || synchronised) return;
		synchronised = true;
		at.acceptor.polls = 'status';
	};
	return () => synchronised;
}

async function answered(synchronised: () => boolean, limitMs: number): Promise<void> {
	await until(() => expect(synchronised()).toBe(true), limitMs);
}

for (const [name, gapMs, bytes] of [
	['power-up in one write', 0, [0x80, 0x8f]],
	['power-up with a second between its bytes', 1_000, [0x80, 0x8f]],
	['power-up and, a moment later, the country code', 200, [0x80, 0x8f, 0x49, 0x44]],
	['power-up and country code in one write, as a USB adapter delivers it', 0, [0x80, 0x8f, 0x49, 0x44]],
] as const)
	incident(
		`${name} gets ACCEPT within 2 s and is not taken for a note`,
		{ on: ['pty'], deep: gapMs > 0 || bytes.length === 2 },
		async (at) => {
			const synchronised = unsynchronised(at);
			if (gapMs) await at.acceptor.sayApart(gapMs, ...bytes);
			else at.acceptor.say(...bytes);
			await answered(synchronised, ANSWER_MS);
			await at.heard();
			await at.ready();
			await at.pays(0x45);
			await at.settles(MONEY);
		},
	);

incident('a unit that repeats its power-up every 2 s gets ACCEPT and then takes notes', { deep: true, on: ['tcp'] }, async (at) => {
	const synchronised = unsynchronised(at);
	const again = setInterval(() => !synchronised() && at.acceptor.say(0x80, 0x8f, 0x49, 0x44), 2_000);
	try {
		await answered(synchronised, HALF_ANSWER_MS);
	} finally {
		clearInterval(again);
	}
	await at.ready();
	await at.settles({ cashbox: [], credited: [] });
});

for (const [name, byte, polls] of [
	['the second power-up byte is lost and the unit reports INHIBITED', 0x80, [HOST.inhibit]],
	['the second power-up byte is lost and the unit is silent', 0x80, []],
	['the first power-up byte is lost and the unit is silent', 0x8f, []],
] as const)
	incident(
		`if ${name}, ACCEPT is sent as soon as no note can be in escrow`,
		{ waits: true, on: ['pty'], deep: byte === 0x8f || polls.length > 0 },
		async (at) => {
			const synchronised = unsynchronised(at, [...polls]);
			at.acceptor.say(byte);
			await answered(synchronised, HALF_ANSWER_MS);
			await at.ready();
			await at.pays(0x45);
			await at.settles(MONEY);
		},
	);

incident('a unit that waits for ACCEPT between the power-up bytes gets ACCEPT', { deep: true, waits: true, on: ['pty'] }, async (at) => {
	const synchronised = unsynchronised(at);
	at.acceptor.say(0x80);
	await answered(synchronised, HALF_ANSWER_MS);
	at.acceptor.say(0x8f, 0x49, 0x44);
	await at.ready();
	await at.pays(0x45);
	await at.settles(MONEY);
});

incident('a unit that answers every poll with NOT_SYNCHRONISED gets ACCEPT', { waits: true, on: ['tcp'] }, async (at) => {
	const synchronised = unsynchronised(at, [0xa1]);
	await answered(synchronised, HALF_ANSWER_MS);
	await at.ready();
	await at.pays(0x45);
	await at.settles(MONEY);
});

incident('a unit that reports a communication failure gets ACCEPT', { waits: true, on: ['pty'] }, async (at) => {
	await at.ready();
	const synchronised = unsynchronised(at, [0x26]);
	await answered(synchronised, HALF_ANSWER_MS);
	await at.takesNotes();
	await at.pays(0x45);
	await at.settles(MONEY);
});

incident('if the daemon starts while the unit runs, it sends no ACCEPT before a note', { on: ['tcp'] }, async (at) => {
	await at.ready();
	expect(at.acceptor.count(HOST.accept)).toBe(0);
	expect(at.acceptor.count(HOST.reset)).toBe(0);
	await at.kiosk.crash();
	at.screen = await at.kiosk.screen();
	await at.ready();
	expect(at.acceptor.count(HOST.accept)).toBe(0);
	await at.pays(0x45);
	await at.settles(MONEY);
});

incident('if the unit starts 12 s after the daemon, the kiosk takes notes', { deep: true, waits: true, unplugged: true }, async (at) => {
	await at.open();
	expect(await at.cash()).toContain('cannot be opened');
	const { promise, resolve } = Promise.withResolvers<void>();
	setTimeout(resolve, 12_000);
	await promise;
	await at.line.plug();
	const synchronised = unsynchronised(at);
	await until(() => expect(at.acceptor.count(HOST.poll)).toBeGreaterThan(0), 8_000);
	at.acceptor.restart();
	await answered(synchronised, ANSWER_MS);
	await at.takesNotes();
	await at.pays(0x45);
	await at.settles(MONEY);
});

incident(
	'if the unit restarts and its country code arrives in a separate read, no note is reported as returned',
	{ deep: true, on: ['pty'] },
	async (at) => {
		await at.ready();
		at.acceptor.restart();
		await at.heard();
		at.acceptor.say(0x49, 0x44);
		await at.heard();
		expect(at.returns()).toEqual([]);
		await at.settles({ cashbox: [], credited: [] });
	},
);

incident('the payment continues after the unit restarts between two notes', { on: ['tcp'] }, async (at) => {
	await at.ready();
	await at.pays(0x45);
	const synchronised = unsynchronised(at);
	at.acceptor.restart();
	await answered(synchronised, ANSWER_MS);
	await at.takesNotes();
	await at.pays(0x43);
	await at.settles({ cashbox: [50_000, 10_000], credited: [50_000, 10_000] });
});

incident('if the unit restarts with a note in escrow, ACCEPT for the power-up does not accept the note', async (at) => {
	await at.ready();
	const note = at.acceptor.offer(0x45, []);
	at.acceptor.restart([0x81, 0x45, 0x80, 0x8f]);
	await until(() => expect(['customer', 'cashbox']).toContain(note.place));
	expect(note.place).toBe('customer');
	await at.settles({ cashbox: [], credited: [] });
});

for (const [name, bytes] of [
	['a power-up', [0x80, 0x8f]],
	['the second power-up byte alone', [0x8f]],
] as const)
	incident(
		`if the unit restarts while stacking and sends only ${name}, the stacked note is in doubt once`,
		{ waits: true, on: ['tcp'], deep: bytes.length === 1 },
		async (at) => {
			await at.ready();
			at.acceptor.afterAccept = () => {
				at.acceptor.stack([]);
				at.acceptor.restart(bytes);
			};
			await at.accepted(0x45);
			expect((await at.close()).body).toMatchObject({ in_doubt: 50_000, received: 0 });
			await at.settles({ cashbox: [50_000], ...IN_DOUBT });
		},
	);

incident(
	'if the unit restarts while stacking and returns the note, the note is in doubt, never credited',
	{ deep: true, on: ['pty'] },
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => {
			at.acceptor.restart();
			setTimeout(() => at.acceptor.giveBack(), 300);
		};
		at.acceptor.offer(0x45);
		await until(() => expect(at.acceptor.notes[0]?.place).toBe('customer'));
		await at.settles({ cashbox: [], ...IN_DOUBT });
	},
);

incident('if the unit restarts while stacking and then reports STACKED, the note is in doubt once', async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {
		at.acceptor.restart();
		setTimeout(() => at.acceptor.stack(), 300);
	};
	at.acceptor.offer(0x45);
	await until(() => expect(at.acceptor.cashbox).toEqual([50_000]));
	await at.settles({ cashbox: [50_000], ...IN_DOUBT });
});
