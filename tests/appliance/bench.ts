/**
 * `make bench-appliance`: measures the kiosk, and a plain Debian with Cage and Chromium as a
 * reference: the time from the kernel's start to a drawn page, and the idle processor time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BOOT_LIMIT_MS, createDisk, type Guest, type Picture, startGuest } from './guest.ts';

const OUT = join(import.meta.dirname, '..', '..', 'image');
/**
 * Number of measured starts of each image. The first start of each image is not in the result,
 * because it creates partitions and keys, and the kiosk confirms its version during it.
 */
const STARTS = Number(process.env.STARTS ?? 2);
const DRAWN = 1_000;
const LOOK_EVERY_MS = 1_000;
/** Colour of the blank page that the reference draws. */
const WHITE = 0xff_ff_ff;

/**
 * Time limit for the confirmation of the version, ms. The page must draw for a minute before the
 * version is confirmed.
 */
const CONFIRMED_MS = 300_000;
const CONFIRMED = 'until [ "$(systemctl show -P ActiveEnterTimestampMonotonic systemd-bless-boot)" != 0 ]; do sleep 5; done; sync';

/**
 * Wait before the idle processor time is measured, ms, because other services start after the first
 * page is drawn.
 */
const SETTLED_MS = 240_000;
/** How long the idle processor time is measured, s. */
const IDLE_S = 120;

const IMAGES = [
	{
		name: 'kiosk',
		file: join(OUT, 'out', 'kiosk.raw'),
		drawn: ({ colours }: Picture) => colours > DRAWN,
		confirmed: CONFIRMED,
		units: ['kiosk-screen', 'kioskd', 'seatd'],
	},
	{
		name: 'reference',
		file: join(OUT, '.reference', 'kiosk.raw'),
		drawn: ({ at }: Picture) => at(0.5, 0.5) === WHITE,
		confirmed: null,
		units: ['blank', 'seatd'],
	},
];

/**
 * @returns processor time that these units use while the guest is idle, percent of one processor
 */
async function idleShare(guest: Guest, units: readonly string[]): Promise<number> {
	await delay(SETTLED_MS);
	const used = `cat ${units.map((unit) => `/sys/fs/cgroup/system.slice/${unit}.service/cpu.stat`).join(' ')} | awk '/usage_usec/ { sum += $2 } END { print sum }'`;
	const said = await guest.root(`${used}; sleep ${IDLE_S}; ${used}`, 2 * IDLE_S * 1_000);
	const [before = 0, after = 0] = said.trim().split('\n').map(Number);
	return (after - before) / IDLE_S / 10_000;
}

/**
 * @param after called after the page is drawn and before the power is cut
 * @returns seconds from the kernel's start to the drawn page
 */
async function start(directory: string, drawn: (seen: Picture) => boolean, after: (guest: Guest) => Promise<unknown>): Promise<number> {
	const guest = await startGuest({ directory });
	const end = performance.now() + BOOT_LIMIT_MS;
	try {
		// The firmware draws, too, so the first look must wait until the kernel runs. The root line
		// answers only from then on.
		await guest.root('true');
		while (!drawn(await guest.picture('screen'))) {
			if (performance.now() > end) throw new Error('nothing was drawn');
			await delay(LOOK_EVERY_MS);
		}
		const seconds = Number((await guest.root('cut -d" " -f1 /proc/uptime')).trim());
		await after(guest);
		return seconds;
	} finally {
		await guest.powerCut();
	}
}

const times = new Map<string, number[]>(IMAGES.map(({ name }) => [name, []]));
const idle = new Map<string, number>();
const folders = IMAGES.map(() => mkdtempSync(join(tmpdir(), 'kiosk-bench-')));
// The two images take turns, so that other load on the host affects both.
for (let round = 0; round <= STARTS; round += 1) {
	for (const [index, { name, file, drawn, confirmed, units }] of IMAGES.entries()) {
		const directory = folders[index] ?? '';
		await createDisk(directory, file);
		const seconds = await start(directory, drawn, async (guest) => {
			if (round === 0 && confirmed !== null) await guest.root(confirmed, CONFIRMED_MS);
			if (round === STARTS) idle.set(name, await idleShare(guest, units));
		});
		process.stdout.write(`${name}, start ${round + 1}: ${seconds.toFixed(1)} s\n`);
		if (round > 0) times.get(name)?.push(seconds);
	}
}
for (const directory of folders) rmSync(directory, { recursive: true, force: true });
const best = (name: string) => Math.min(...(times.get(name) ?? []));
process.stdout.write(`from the second start on, best of ${STARTS}: kiosk ${best('kiosk')} s, reference ${best('reference')} s, `);
process.stdout.write(`ratio ${(best('kiosk') / best('reference')).toFixed(2)} (goal 0.90)\n`);
const [kiosk = 0, reference = 0] = IMAGES.map(({ name }) => idle.get(name));
process.stdout.write(`idle processor time of daemon and browser: kiosk ${kiosk.toFixed(1)} %, reference ${reference.toFixed(1)} %, `);
process.stdout.write(`ratio ${(kiosk / reference).toFixed(2)} (goal 1.2)\n`);
process.exit(0);
