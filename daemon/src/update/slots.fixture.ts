/**
 * Simulates the slots and the boot partition with folders. Substitutes for the system's programs
 * record their calls.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { type DaemonLink, daemonLink, type Lease, type TrialFacts } from './daemon-link.ts';
import { freeBytesOf, type InstallDeps } from './install.ts';
import { commandRunner, type Program } from './runner.ts';
import { stateFile } from './state.ts';

/** @returns a unified kernel image with these kernel parameters */
export function kernelImage(parameters: string, kernel = 'kernel'): Buffer {
	const image = Buffer.alloc(2_048);
	image.write('MZ', 0);
	image.writeUInt32LE(0x80, 0x3c);
	image.write('PE\0\0', 0x80);
	image.writeUInt16LE(2, 0x80 + 6);
	image.writeUInt16LE(0xf0, 0x80 + 20);
	for (const [index, [name, text]] of [['.linux', kernel] as const, ['.cmdline', parameters] as const].entries()) {
		const at = 0x80 + 24 + 0xf0 + index * 40;
		image.write(name, at);
		image.writeUInt32LE(text.length, at + 8);
		image.writeUInt32LE(512, at + 16);
		image.writeUInt32LE(1_024 + index * 512, at + 20);
		image.write(text, 1_024 + index * 512);
	}
	return image;
}

export interface Slots {
	deps: Omit<InstallDeps, 'keys' | 'floor'>;
	/** Names on the boot partition. */
	entries(): string[];
	place(name: string, bytes?: Buffer): void;
	/** The calls of the programs, in order. */
	calls(): string[];
	/** Makes a program fail. */
	breaks(program: Program, message: string): void;
}

/**
 * Simulates systemd-sysupdate: copies the files of the given transfers, except existing files.
 * UDEVADM makes the partition links later.
 */
const SYSUPDATE = `
for word; do case $word in --definitions=*) definitions=\${word#*=};; --transfer-source=*) source=\${word#*=};; esac; done
version=\${!#}
[ ! -e "$definitions/20-root.transfer" ] || [ -e "$PARTITIONS/kiosk_$version" ] || cp "$source"/kiosk_"$version"_*.root.raw "$UNLINKED/kiosk_$version"
[ ! -e "$definitions/10-verity.transfer" ] || [ -e "$PARTITIONS/kiosk_\${version}_v" ] || cp "$source"/kiosk_"$version"_*.verity.raw "$UNLINKED/kiosk_\${version}_v"
[ ! -e "$definitions/90-uki.transfer" ] || compgen -G "$ESP/kiosk_$version*.efi" >/dev/null || cp "$source/kiosk_$version.efi" "$ESP/kiosk_$version+3-0.efi"`;

/** Simulates `udevadm wait`: the links appear during the wait. */
const UDEVADM = 'for link; do case $link in /*) mv "$UNLINKED/$(basename "$link")" "$link" || [ -e "$link" ];; esac; done';
const BLOCKDEV = '[ -e "$2" ] || { echo "blockdev: cannot open $2: No such file or directory" >&2; exit 1; }';

/** @param running the running version, which is confirmed as good */
export function slots(folder: string, clock: VirtualClock, running: string): Slots {
	const place = temporaryFolder('slots');
	const [esp, partitions, unlinked, definitions, programs, scratch] = ['esp', 'partitions', 'unlinked', 'sysupdate.d', 'bin', 'run'].map(
		(name) => join(place, name),
	) as [...[string, string, string, string, string, string]];
	for (const one of [esp, partitions, unlinked, definitions, programs, scratch]) mkdirSync(one);
	for (const name of ['10-verity', '20-root', '90-uki']) writeFileSync(join(definitions, `${name}.transfer`), '');
	const record = join(place, 'calls');
	const program = (name: Program, script: string): void => {
		const words = `#!/bin/bash\nset -eu\nESP='${esp}'; PARTITIONS='${partitions}'; UNLINKED='${unlinked}'\necho "${name} $*" >>'${record}'\n${script}\n`;
		writeFileSync(join(programs, name), words);
		chmodSync(join(programs, name), 0o755);
	};
	program('systemd-sysupdate', SYSUPDATE);
	program('udevadm', UDEVADM);
	program('blockdev', BLOCKDEV);
	for (const name of ['veritysetup', 'systemctl'] as const) program(name, '');
	writeFileSync(join(esp, `kiosk_${running}.efi`), 'kernel image');
	return {
		deps: {
			...{ folder, state: stateFile(folder, clock), running, bootEntries: esp, definitions, partitions, scratch },
			freeBytes: freeBytesOf,
			run: commandRunner([programs, '/usr/bin', '/bin']),
		},
		entries: () => readdirSync(esp).sort(),
		place: (name, bytes = Buffer.from('kernel image')) => writeFileSync(join(esp, name), bytes),
		calls: () => (existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : []),
		breaks: (name, message) => program(name, `echo '${message}' >&2; exit 1`),
	};
}

export interface StandInDaemon {
	link: DaemonLink;
	/** `lease` and `trial`: the next answers; null: status 500. */
	lease: Lease | null;
	trial: TrialFacts | null;
	asked: string[];
}

export const GRANTED: Lease = { granted: true, until: '2026-11-23T00:00:00Z' };
export const SESSION: Lease = { granted: false, reasons: [{ code: 'session', text: 'a payment is open' }] };

/** Serves the updater's calls on a staff socket. */
export async function standInDaemon(): Promise<StandInDaemon> {
	const socket = join(temporaryFolder('daemon'), 'kioskd.sock');
	const daemon: StandInDaemon = {
		link: daemonLink(socket),
		lease: GRANTED,
		trial: { journal: 'ok', drawn_seconds: 90, devices: [{ name: 'acceptor', state: 'ok' }] },
		asked: [],
	};
	const server = createServer(async (request, response) => {
		let body = '';
		for await (const piece of request) body += piece;
		daemon.asked.push(`${request.method} ${request.url} ${body}`.trim());
		const answer = request.url === '/trial' ? daemon.trial : request.method === 'POST' ? daemon.lease : {};
		response.writeHead(answer === null ? 500 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
	});
	await new Promise<void>((listening) => server.listen(socket, listening));
	onTestFinished(() => void server.close());
	return daemon;
}

/** The fixtures of the running test. */
export let clock: VirtualClock;
export let disk: Slots;
export let daemon: StandInDaemon;

/**
 * Makes the fixtures before each test of a file.
 * @param running the running version, which is confirmed as good @param prepare changes the disk
 */
export function slotsOfEachTest(running: string, prepare: () => void): void {
	beforeEach(async () => {
		clock = new VirtualClock();
		disk = slots(temporaryFolder('update'), clock, running);
		daemon = await standInDaemon();
		prepare();
	});
}
