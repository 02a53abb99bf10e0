import { expect } from 'vitest';
import { HOST } from './acceptor.ts';
import { eventually, type Incident, incident } from './incident.ts';

const MONEY = { cashbox: [50_000], credited: [50_000] };
const IN_DOUBT = { credited: [], inDoubt: [50_000] };
/** The unit waits this long for 02, then it inhibits itself. */
const ANSWER_MS = 2_000;
/** Half a power-up may be noise: 02 waits until no escrow can be meant. */
const HALF_ANSWER_MS = 9_000;

/** A unit that answers polls with these bytes until it has heard 02. @returns whether it has */
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
	await eventually(() => expect(synchronised()).toBe(true), limitMs);
}

for (const [name, gapMs, bytes] of [
	['80 8F in one write', 0, [0x80, 0x8f]],
	['80 and 8F a second apart', 1_000, [0x80, 0x8f]],
	['80 8F and then, a moment later, the country "ID"', 200, [0x80, 0x8f, 0x49, 0x44]],
] as const)
	incident(
		`${name}: 02 within 2 s and no note of it`,
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
		{ on: ['pty'] },
	);

incident(
	'80 8F "ID" in one write, as a USB adapter delivers it: 02 within 2 s',
	async (at) => {
		const synchronised = unsynchronised(at);
		at.acceptor.say(0x80, 0x8f, 0x49, 0x44);
		await answered(synchronised, ANSWER_MS);
		await at.ready();
		await at.pays(0x45);
		await at.settles(MONEY);
	},
	{ on: ['pty'] },
);

incident(
	'a unit that says 80 8F "ID" again every 2 s until it is answered',
	async (at) => {
		const synchronised = unsynchronised(at);
		const again = setInterval(() => !synchronised() && at.acceptor.say(0x80, 0x8f, 0x49, 0x44), 2_000);
		try {
			await answered(synchronised, HALF_ANSWER_MS);
		} finally {
			clearInterval(again);
		}
		await at.ready();
		await at.settles({ cashbox: [], credited: [] });
	},
	{ on: ['tcp'] },
);

for (const [name, byte, polls] of [
	['8F is lost and the unit says inhibited', 0x80, [HOST.inhibit]],
	['8F is lost and the unit says nothing more', 0x80, []],
	['80 is lost and the unit says nothing more', 0x8f, []],
] as const)
	incident(
		`${name}: 02 comes all the same, once no escrow can be meant`,
		async (at) => {
			const synchronised = unsynchronised(at, [...polls]);
			at.acceptor.say(byte);
			await answered(synchronised, HALF_ANSWER_MS);
			await at.ready();
			await at.pays(0x45);
			await at.settles(MONEY);
		},
		{ waits: true, on: ['pty'] },
	);

incident(
	'80, then the unit waits for 02 before it says 8F "ID"',
	async (at) => {
		const synchronised = unsynchronised(at);
		at.acceptor.say(0x80);
		await answered(synchronised, HALF_ANSWER_MS);
		at.acceptor.say(0x8f, 0x49, 0x44);
		await at.ready();
		await at.pays(0x45);
		await at.settles(MONEY);
	},
	{ waits: true, on: ['pty'] },
);

incident(
	'A1 to every poll: powered on and not yet synchronised',
	async (at) => {
		const synchronised = unsynchronised(at, [0xa1]);
		await answered(synchronised, HALF_ANSWER_MS);
		await at.ready();
		await at.pays(0x45);
		await at.settles(MONEY);
	},
	{ waits: true, on: ['tcp'] },
);

incident(
	'communication failure (26): the unit wants its 02 again',
	async (at) => {
		await at.ready();
		const synchronised = unsynchronised(at, [0x26]);
		await answered(synchronised, HALF_ANSWER_MS);
		await at.takesNotes();
		await at.pays(0x45);
		await at.settles(MONEY);
	},
	{ waits: true, on: ['pty'] },
);

incident(
	'the daemon starts while the unit runs: no 80 8F comes, and no 02 goes out before a note is there',
	async (at) => {
		await at.ready();
		expect(at.acceptor.count(HOST.accept)).toBe(0);
		expect(at.acceptor.count(HOST.reset)).toBe(0);
		await at.kiosk.crash();
		at.screen = await at.kiosk.screen();
		await at.ready();
		expect(at.acceptor.count(HOST.accept)).toBe(0);
		await at.pays(0x45);
		await at.settles(MONEY);
	},
	{ on: ['tcp'] },
);

incident(
	'the unit gets power 12 s after the daemon has started',
	async (at) => {
		await at.open();
		expect(await at.cash()).toContain('cannot be opened');
		const { promise, resolve } = Promise.withResolvers<void>();
		setTimeout(resolve, 12_000);
		await promise;
		await at.line.plug();
		const synchronised = unsynchronised(at);
		await eventually(() => expect(at.acceptor.count(HOST.poll)).toBeGreaterThan(0), 8_000);
		at.acceptor.restart();
		await answered(synchronised, ANSWER_MS);
		await at.takesNotes();
		await at.pays(0x45);
		await at.settles(MONEY);
	},
	{ waits: true, unplugged: true },
);

incident(
	'the unit restarts in the middle of a payment and its country comes in a read of its own: no word of a note that came back',
	async (at) => {
		await at.ready();
		at.acceptor.restart();
		await at.heard();
		at.acceptor.say(0x49, 0x44);
		await at.heard();
		expect(at.returns()).toEqual([]);
		await at.settles({ cashbox: [], credited: [] });
	},
	{ on: ['pty'] },
);

incident(
	'the unit restarts between two notes of a payment',
	async (at) => {
		await at.ready();
		await at.pays(0x45);
		const synchronised = unsynchronised(at);
		at.acceptor.restart();
		await answered(synchronised, ANSWER_MS);
		await at.takesNotes();
		await at.pays(0x43);
		await at.settles({ cashbox: [50_000, 10_000], credited: [50_000, 10_000] });
	},
	{ on: ['tcp'] },
);

incident('the unit restarts with a note in escrow: 02 for the power-up never means the note', async (at) => {
	await at.ready();
	const note = at.acceptor.offer(0x45, []);
	at.acceptor.restart([0x81, 0x45, 0x80, 0x8f]);
	await eventually(() => expect(['customer', 'cashbox']).toContain(note.place));
	expect(note.place).toBe('customer');
	await at.settles({ cashbox: [], credited: [] });
});

for (const [name, bytes] of [
	['80 8F', [0x80, 0x8f]],
	['8F alone', [0x8f]],
] as const)
	incident(
		`the unit restarts while it stacks, says ${name}, and the note is in the cashbox: in doubt once`,
		async (at) => {
			await at.ready();
			at.acceptor.afterAccept = () => {
				at.acceptor.stack([]);
				at.acceptor.restart(bytes);
			};
			await at.accepted(0x45);
			expect((await at.close()).body).toMatchObject({ in_doubt: 50_000, received: 0 });
			at.acceptor.afterAccept = () => at.acceptor.stack();
			await at.settles({ cashbox: [50_000], ...IN_DOUBT });
		},
		{ waits: true, on: ['tcp'] },
	);

incident(
	'the unit restarts while it stacks and gives the note back: in doubt, never credited',
	async (at) => {
		await at.ready();
		at.acceptor.afterAccept = () => {
			at.acceptor.restart();
			setTimeout(() => at.acceptor.giveBack(), 300);
		};
		at.acceptor.offer(0x45);
		await eventually(() => expect(at.acceptor.notes[0]?.place).toBe('customer'));
		at.acceptor.afterAccept = () => at.acceptor.stack();
		await at.settles({ cashbox: [], ...IN_DOUBT });
	},
	{ on: ['pty'] },
);

incident('the unit restarts while it stacks, finishes the job and says so: one note, one entry', async (at) => {
	await at.ready();
	at.acceptor.afterAccept = () => {
		at.acceptor.restart();
		setTimeout(() => at.acceptor.stack(), 300);
	};
	at.acceptor.offer(0x45);
	await eventually(() => expect(at.acceptor.cashbox).toEqual([50_000]));
	at.acceptor.afterAccept = () => at.acceptor.stack();
	await at.settles({ cashbox: [50_000], ...IN_DOUBT });
});
