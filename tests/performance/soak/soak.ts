/**
 * `make soak`: runs two processes at the same time. One simulates days of virtual kiosks, the other
 * runs customer journeys on one real daemon. Prints the resource usage of both. The exit code is 1
 * if the books do not balance or a resource grows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startSoakedDaemon } from './daemon-soak.ts';
import { liveTogether } from './fleet.ts';
import { countStatements, ownReading, type Sample, slopes } from './reading.ts';
import { ONE_ARENA, READABLE } from './still.ts';

/**
 * Number of hours without a failure that prove, with 90 % confidence, that failures are on average
 * at least 2,000 h apart.
 */
const HOURS_WANTED = 4_606;
/** A trend needs several points, so even the shortest run takes this many readings. */
const FEWEST_SAMPLES = 7;
const { values } = parseArgs({
	options: {
		part: { type: 'string', default: 'all' },
		kiosks: { type: 'string', default: '64' },
		minutes: { type: 'string', default: '10' },
		/** Customers that each virtual kiosk serves in one day. */
		journeys: { type: 'string', default: '4' },
		/** Journeys of the daemon between two readings. */
		every: { type: 'string', default: '50' },
		from: { type: 'string', default: '1' },
		/** Name of a deliberate leak in probe.ts, to prove that leaks are detected. */
		leak: { type: 'string', default: '' },
	},
});
const [kiosks, minutes, journeys, every] = [values.kiosks, values.minutes, values.journeys, values.every].map(Number) as [
	number,
	number,
	number,
	number,
];
const began = performance.now();
const seconds = (): number => (performance.now() - began) / 1_000;
const enough = (samples: readonly Sample[]): boolean => samples.length >= FEWEST_SAMPLES && seconds() >= minutes * 60;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const MIB = 1024 * 1024;
const row = (who: string, sample: Sample, more: string): string =>
	[
		who.padEnd(7),
		`${seconds().toFixed(0)} s`.padStart(8),
		`${sample.journeys} journeys`.padStart(17),
		`heap ${(sample.heapBytes / MIB).toFixed(2)} MB`.padStart(14),
		`rss ${(sample.rssBytes / MIB).toFixed(1)} MB`.padStart(13),
		`${sample.openFiles} files`.padStart(10),
		`${sample.handles} handles`.padStart(11),
		more,
	].join('  ');

/** @returns whether all measures are flat */
function judge(who: string, samples: readonly Sample[]): boolean {
	const found = slopes(samples);
	say(`${who}: growth for every 1,000 journeys, over the second half`);
	for (const { measure, perThousand, limit, flat } of found)
		say(`  ${measure.padEnd(14)} ${perThousand.toFixed(1).padStart(14)}   limit ${limit}${flat ? '' : '   GROWS'}`);
	return found.every(({ flat }) => flat);
}

async function fleet(): Promise<boolean> {
	countStatements();
	const samples: Sample[] = [];
	const problems: string[] = [];
	let simulatedMs = 0;
	let made = 0;
	for (let seed = Number(values.from); !enough(samples); seed += kiosks) {
		const days = await liveTogether(kiosks, seed, journeys);
		for (const day of days) {
			simulatedMs += day.simulatedMs;
			made += day.journeys;
			problems.push(...day.problems.map((problem) => `seed ${day.seed}, ${problem}`));
		}
		samples.push({ ...ownReading(), journeys: made });
		const hours = simulatedMs / 3_600_000;
		const rate = `${hours.toFixed(0)} simulated hours, ${(hours / seconds()).toFixed(2)} a second`;
		say(row('kiosks', samples.at(-1) as Sample, rate));
		if (problems.length > 0) break;
	}
	for (const problem of problems) say(`  ${problem}   again: make soak FROM=${/^seed (\d+)/.exec(problem)?.[1]} KIOSKS=1 MINUTES=0`);
	const hours = simulatedMs / 3_600_000;
	say(
		`${kiosks} virtual kiosks: ${made} journeys, ${hours.toFixed(1)} simulated hours of ${HOURS_WANTED}, ${problems.length} broken invariants`,
	);
	if (problems.length > 0) return false;
	// Each virtual kiosk prepares its own statements, so their number always grows and is not judged.
	return judge(
		'virtual kiosks',
		samples.map((sample) => ({ ...sample, prepared: 0 })),
	);
}

async function daemon(): Promise<boolean> {
	const soaked = await startSoakedDaemon(values.leak);
	try {
		await soaked.warmUp();
		const samples: Sample[] = [await soaked.sample()];
		while (!enough(samples)) {
			for (let made = 0; made < every; made += 1) await soaked.journey();
			samples.push(await soaked.sample());
			say(row('daemon', samples.at(-1) as Sample, ''));
		}
		const differences = await soaked.differences();
		for (const difference of differences) say(`  ${difference}`);
		say(`one daemon: ${samples.at(-1)?.journeys} journeys, ${differences.length} differences between its books and the server's`);
		return judge('daemon', samples) && differences.length === 0;
	} finally {
		await soaked.stop();
	}
}

/** Starts a part in its own process, so that its resource usage is measured alone. */
function part(name: string): ChildProcess {
	const words = process.argv.slice(2);
	return spawn(process.execPath, [...READABLE, import.meta.filename, ...words, '--part', name], {
		stdio: 'inherit',
		env: { ...process.env, ...ONE_ARENA },
	});
}

async function all(): Promise<boolean> {
	const parts = ['fleet', 'daemon'].map(part);
	const codes = await Promise.all(parts.map(async (child) => (await once(child, 'exit'))[0] as number | null));
	return codes.every((code) => code === 0);
}

const PARTS: Record<string, () => Promise<boolean>> = { all, fleet, daemon };
const chosen = PARTS[values.part];
if (!chosen) throw new Error(`--part is one of ${Object.keys(PARTS).join(', ')}`);
const flat = await chosen();
process.exit(flat ? 0 : 1);
