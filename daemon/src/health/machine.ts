/** What the machine says about itself in files; what cannot be read is null and never guessed. */
import { existsSync, globSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { release, uptime } from 'node:os';
import { basename } from 'node:path';
import { readSecureBoot, type SecureBoot } from './secure-boot.ts';

/** systemd-timesyncd writes the second once the clock has been set from the network in this run of the machine. */
const TIMESYNC = '/run/systemd/timesync';

export interface DiskFacts {
	directory: string;
	free_mb: number;
	size_mb: number;
	/** How much of its life a flash chip has used, percent, as the chip estimates it; null where no file tells. */
	worn_percent: number | null;
	/** What the file system has noticed of errors; null where it does not count. */
	errors: number | null;
}

export interface MachineFacts {
	/** Seconds since the machine started. */
	uptime_s: number;
	system: string;
	kernel: string;
	node: string;
	/** Whether network time has set the clock; null where nobody tells. */
	clock_synchronised: boolean | null;
	/** null where there is no UEFI */
	secure_boot: SecureBoot | null;
	/** The hottest sensor, degrees Celsius. */
	hottest: { sensor: string; celsius: number } | null;
	disk: DiskFacts | null;
}

/** @param directory of the journal */
export function machineFacts(directory: string): MachineFacts {
	return {
		uptime_s: Math.round(uptime()),
		system: systemName(),
		kernel: release(),
		node: process.version,
		clock_synchronised: clockSynchronised(),
		secure_boot: readSecureBoot(),
		hottest: hottest(),
		disk: diskOf(directory),
	};
}

/** @returns whether network time has set the clock; null where nobody tells */
export const clockSynchronised = (): boolean | null => (existsSync(TIMESYNC) ? existsSync(`${TIMESYNC}/synchronized`) : null);

function text(file: string): string | null {
	try {
		return readFileSync(file, 'utf8').trim();
	} catch {
		return null;
	}
}

function number(file: string): number | null {
	const found = text(file);
	return found !== null && /^-?\d+$/.test(found) ? Number(found) : null;
}

function systemName(): string {
	const release = text('/etc/os-release') ?? '';
	const value = (name: string): string => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(release)?.[1] ?? '';
	return [value('PRETTY_NAME'), value('IMAGE_VERSION')].filter(Boolean).join(', image ');
}

function hottest(): MachineFacts['hottest'] {
	const sensors = [
		...globSync('/sys/class/thermal/thermal_zone*').map((zone) => [`${zone}/type`, `${zone}/temp`] as const),
		...globSync('/sys/class/hwmon/hwmon*/temp*_input').map((file) => [file.replace(/temp\d+_input$/, 'name'), file] as const),
	];
	let found: MachineFacts['hottest'] = null;
	for (const [name, file] of sensors) {
		const value = number(file);
		// Absent sensors say 0, broken ones something no PC survives.
		if (value === null || value <= 0 || value > 150_000) continue;
		const celsius = Math.round(value / 1_000);
		if (found === null || celsius > found.celsius) found = { sensor: text(name) ?? basename(file), celsius };
	}
	return found;
}

function diskOf(directory: string): DiskFacts | null {
	try {
		const { bavail, bsize, blocks } = statfsSync(directory);
		const { dev } = statSync(directory);
		const mb = (count: number): number => Math.round((count * bsize) / 1_048_576);
		// Linux's split of a device number; a partition's own folder lies below that of its disk.
		const device = `/sys/dev/block/${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
		return { directory, free_mb: mb(bavail), size_mb: mb(blocks), worn_percent: wear(device), errors: errorsOn(device) };
	} catch {
		return null;
	}
}

/** eMMC tells its wear in steps of ten percent (JEDEC 84-B51, DEVICE_LIFE_TIME_EST); SATA and NVMe tell only root, through smartctl. */
function wear(device: string): number | null {
	const life = text(`${device}/device/life_time`) ?? text(`${device}/../device/life_time`);
	const steps = (life ?? '').split(/\s+/).map((part) => Number.parseInt(part, 16));
	const worst = Math.max(...steps.filter((step) => step > 0 && step <= 11), 0);
	return worst > 0 ? worst * 10 : null;
}

function errorsOn(device: string): number | null {
	const name = /^DEVNAME=(.+)$/m.exec(text(`${device}/uevent`) ?? '')?.[1];
	return name === undefined ? null : number(`/sys/fs/ext4/${name}/errors_count`);
}
