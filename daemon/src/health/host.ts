/** Facts about the PC. A value that cannot be read is null, or '' for a name. */
import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { release, uptime } from 'node:os';
import { basename, join } from 'node:path';
import { clockSynchronised } from '../base/clock-synchronised.ts';
import { readSecureBoot, type SecureBoot } from './secure-boot.ts';

export interface DiskFacts {
	directory: string;
	free_mb: number;
	size_mb: number;
	/** Used lifetime of a flash disk in percent, as the disk estimates it; null if unknown. */
	worn_percent: number | null;
	/** Errors counted by the file system; null if it does not count errors. */
	errors: number | null;
}

export interface HostFacts {
	/** Seconds since the PC started. */
	uptime_s: number;
	system: string;
	kernel: string;
	node: string;
	/** Whether network time has set the clock; null if unknown. */
	clock_synchronised: boolean | null;
	/** State of Secure Boot; null without UEFI. */
	secure_boot: SecureBoot | null;
	/** The hottest sensor, degrees Celsius. */
	hottest: { sensor: string; celsius: number } | null;
	disk: DiskFacts | null;
}

/** @param directory of the journal */
export function hostFacts(directory: string): HostFacts {
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

/**
 * @returns the paths of a folder's entries whose names match; none if the folder cannot be read.
 * `globSync` is not used, because loading it would slow the daemon's start noticeably.
 */
function inFolder(folder: string, name: RegExp): string[] {
	try {
		return readdirSync(folder)
			.filter((entry) => name.test(entry))
			.map((entry) => join(folder, entry));
	} catch {
		return [];
	}
}

function hottest(): HostFacts['hottest'] {
	const sensors = [
		...inFolder('/sys/class/thermal', /^thermal_zone/).map((zone) => [`${zone}/type`, `${zone}/temp`] as const),
		...inFolder('/sys/class/hwmon', /^hwmon/).flatMap((chip) =>
			inFolder(chip, /^temp.*_input$/).map((file) => [`${chip}/name`, file] as const),
		),
	];
	let found: HostFacts['hottest'] = null;
	for (const [name, file] of sensors) {
		const value = number(file);
		// Absent sensors report 0; broken sensors report impossible temperatures.
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
		// Major and minor number, as Linux encodes them in `dev`.
		const device = `/sys/dev/block/${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
		return { directory, free_mb: mb(bavail), size_mb: mb(blocks), worn_percent: readWear(device), errors: errorsOn(device) };
	} catch {
		return null;
	}
}

/**
 * @param device folder in /sys of a disk, or of a partition inside its disk's folder
 * @returns the used lifetime in percent; null if unknown. eMMC reports it in steps of ten percent
 * (JEDEC 84-B51, DEVICE_LIFE_TIME_EST). SATA and NVMe report it only to root, through smartctl.
 */
function readWear(device: string): number | null {
	const life = text(`${device}/device/life_time`) ?? text(`${device}/../device/life_time`);
	const steps = (life ?? '').split(/\s+/).map((part) => Number.parseInt(part, 16));
	const worst = Math.max(...steps.filter((step) => step > 0 && step <= 11), 0);
	return worst > 0 ? worst * 10 : null;
}

function errorsOn(device: string): number | null {
	const name = /^DEVNAME=(.+)$/m.exec(text(`${device}/uevent`) ?? '')?.[1];
	return name === undefined ? null : number(`/sys/fs/ext4/${name}/errors_count`);
}
