import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Acceptor, startAcceptor } from '../../simulators/acceptor/start.ts';
import { plugCable } from '../../support/cable.ts';
import { NOTES, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { amount, type Figure, median, ms, ratioFigure } from './figures.ts';
import { openBare } from './journal-commit.ts';

const COUNT = amount(200, 40);
/**
 * Phone number of an invoice whose total exceeds the sum of all notes inserted here, so that the
 * payment stays open.
 */
const ENDLESS = '081200000005';
const NOMINAL = 1_000;
const TIMING = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 60, returnMs: 20 };
const ESCROW = 0x81;
const ACCEPT = 0x02;

/**
 * Measures the time from the last escrow byte on a pty to the decision byte. In this time the
 * daemon checks the payment and writes the note's intent to disk. The floor is the time of a driver
 * that accepts at once, plus the time of one bare commit.
 */
export async function decision(): Promise<Figure> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-decision-'));
	const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
	try {
		const bare = await bareOnCable(ends);
		const daemon = await daemonOnCable(ends);
		const database = openBare(folder);
		ends.push(() => database.close());
		const times = { bare: [] as number[], daemon: [] as number[], commit: [] as number[] };
		for (let note = 0; note < COUNT; note += 1) {
			// Bare driver and daemon are measured in turns, so that other load affects both.
			times.bare.push(await decide(bare));
			times.daemon.push(await decide(daemon));
			times.commit.push(database.commit(`{"kind":"cash_intent","note":${note}}`));
		}
		return ratioFigure({
			name: 'last escrow byte to decision byte (driver without journal + commit)',
			key: 'decision',
			measured: median(times.daemon),
			floor: median(times.bare) + median(times.commit),
			show: ms,
			goal: 1.2,
		});
	} finally {
		for (const end of ends.reverse()) await end();
	}
}

async function bareOnCable(ends: (() => unknown)[]): Promise<Acceptor> {
	const { device, host, stop } = await plugCable();
	ends.push(stop);
	const driver = spawn(process.execPath, [join(import.meta.dirname, 'bare-driver.ts'), host], { stdio: 'ignore' });
	ends.push(() => driver.kill());
	const acceptor = await startAcceptor({ serialPath: device, timing: TIMING });
	ends.push(() => acceptor.stop());
	// The driver may have missed the power-up, so the acceptor restarts as soon as the driver polls.
	await until(() => {
		if (acceptor.line.trace.some(({ from }) => from === 'host')) return;
		throw new Error('the bare driver does not poll');
	});
	acceptor.restart({ offMs: 0 });
	return acceptor;
}

async function daemonOnCable(ends: (() => unknown)[]): Promise<Acceptor> {
	const { device, host, stop } = await plugCable();
	ends.push(stop);
	const kiosk = await startKiosk({
		acceptor: { serialPath: device, timing: TIMING },
		acceptorSection: () => `[acceptor]\nport = "${host}"\n${NOTES}`,
	});
	ends.push(() => kiosk.stop());
	await kiosk.screen();
	await kiosk.openCash(ENDLESS);
	return kiosk.acceptor;
}

/** Inserts one note and waits until it is in the cashbox. @returns time to the decision, ms */
async function decide({ device, line }: Acceptor): Promise<number> {
	let escrowed = Number.NaN;
	let decided = Number.NaN;
	const [send, hear] = [line.send, line.hear];
	line.send = (bytes, from) => {
		if (bytes.includes(ESCROW)) escrowed = performance.now();
		send.call(line, bytes, from);
	};
	line.hear = (bytes) => {
		if (Number.isNaN(decided) && !Number.isNaN(escrowed) && bytes.includes(ACCEPT)) decided = performance.now();
		return hear.call(line, bytes);
	};
	const stacked = device.stacked.length;
	await until(() => {
		if (device.stacked.length > stacked) return;
		if (device.note === null) device.insert({ nominal: NOMINAL });
		throw new Error('the note is not in the cashbox');
	});
	Object.assign(line, { send, hear });
	return decided - escrowed;
}
