import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Ticks per second in which Linux counts processor time in /proc. */
const TICKS_PER_SECOND = 100;

/** @returns processor time that the process has used so far, seconds */
export function cpuSeconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** @returns resident memory in MiB */
export function residentMib(pid: number): number {
	const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Number(kib) / 1024;
}

/** @returns whether the process has this file open */
export function isFileOpen(pid: number, path: string): boolean {
	return readdirSync(`/proc/${pid}/fd`).some((fd) => {
		try {
			return readlinkSync(`/proc/${pid}/fd/${fd}`) === path;
		} catch {
			return false;
		}
	});
}
