import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { until } from '../../support/until.ts';
import { type Incident, incident } from './incident.ts';
import { residentMib } from './process.ts';

const FLOOD_MS = 6_000;
/** Pause between writes of the flooding unit. */
const WRITE_MS = 10;
/**
 * Largest median response time of the daemon during a flood. An idle daemon needs about 10 ms, but
 * other processes use the computer, too.
 */
const MEDIAN_MS = 500;
/** Largest allowed growth of the daemon's memory. */
const MORE_MIB = 80;
/**
 * Allowed number of log entries during a flood. The entries report single notes, the closing and
 * reopening of the line, and a few records.
 */
const LOG_LINES = 250;
/** Up to this many notes without ACCEPT get a record each; later notes are only counted. */
const UNEXPLAINED = 10;

/** Sends the pattern again and again at this rate for `FLOOD_MS`. */
async function flood(at: Incident, pattern: readonly number[], bytesPerSecond: number): Promise<void> {
	const times = Math.max(1, Math.round((bytesPerSecond * WRITE_MS) / 1_000 / pattern.length));
	const chunk = Array.from({ length: times }, () => pattern).flat();
	for (const end = performance.now() + FLOOD_MS; performance.now() < end; await pause(WRITE_MS)) at.line.write(chunk);
}

/** @returns median response time of `/health` and `/` while `during` runs, ms */
async function answersDuring(at: Incident, during: Promise<void>): Promise<number> {
	const took: number[] = [];
	let over = false;
	void during.then(() => {
		over = true;
	});
	while (!over) {
		for (const path of ['/health', '/']) {
			const asked = performance.now();
			await (await fetch(at.kiosk.daemon.url + path)).text();
			took.push(performance.now() - asked);
		}
		await pause(50);
	}
	await during;
	return took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
}

for (const [what, pattern, bytesPerSecond] of [
	['ESCROW of alternating notes at the speed of the fastest line', [0x81, 0x44, 0x81, 0x45], 11_500],
	['ESCROW with STACKED bytes, faster than any line', [0x81, 0x44, 0x10], 20_000],
	['STACKED bytes alone', [0x81, 0x10], 20_000],
	['mixed bytes', [0x29, 0x81, 0x44, 0x11, 0x24, 0x2f, 0x10, 0x3e, 0x5e, 0x22], 200_000],
] as const)
	incident(
		`if a unit floods its line with ${what}, the daemon stays responsive, uses little memory and later takes a note`,
		{ deep: !what.startsWith('ESCROW with STACKED') },
		async (at) => {
			await at.ready();
			const before = residentMib(at.kiosk.daemon.pid);
			const lines = at.kiosk.daemon.log.length;
			at.acceptor.polls = 'silent';
			const median = await answersDuring(at, flood(at, pattern, bytesPerSecond));
			expect(median).toBeLessThan(MEDIAN_MS);
			expect(residentMib(at.kiosk.daemon.pid) - before).toBeLessThan(MORE_MIB);
			expect(at.kiosk.daemon.log.length - lines).toBeLessThan(LOG_LINES);
			at.acceptor.polls = 'status';
			const ledger = at.ledger();
			expect(ledger.length).toBeLessThanOrEqual(UNEXPLAINED + 1);
			expect(ledger.filter((note) => note.state === 'credited')).toEqual([]);
			await at.close();
			await at.next();
			await at.pays(0x45);
			expect(at.booked()).toEqual([50_000]);
			expect((await at.kiosk.health()).in_doubt.length).toBeLessThanOrEqual(UNEXPLAINED + 1);
		},
	);

incident(
	'if a unit reports endless notes at a rate that its line allows, the first 10 get a record each and the others are only counted; afterwards cash opens again',
	{ deep: true, on: ['tcp'] },
	async (at) => {
		await at.ready();
		at.acceptor.polls = 'silent';
		for (let note = 0; note < 80; note += 1) {
			at.acceptor.say(0x81, 0x29, 0x10);
			await pause(100);
		}
		await until(async () => expect(await at.cash()).toContain('that have no meaning'));
		expect(at.ledger()).toHaveLength(UNEXPLAINED);
		at.acceptor.polls = 'status';
		await at.kiosk.afterDoubt();
		await until(() => expect(at.kiosk.daemon.events('acceptor.calm')).toHaveLength(1));
		expect(Number(at.kiosk.daemon.events('acceptor.calm')[0]?.stacked)).toBeGreaterThan(50);
		await at.takesNotes();
		await at.pays(0x45);
		expect(at.booked()).toEqual([50_000]);
	},
);
