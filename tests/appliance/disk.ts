/** Reads and writes the disk of a switched-off kiosk, as another computer does. */
import { execFile } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SECTOR = 512;
const FLASH = join(import.meta.dirname, '..', '..', 'image', 'flash');
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

/**
 * Runs `image/flash` on the disk in `directory`.
 * @param answer typed when `make flash` asks for the disk's name; by default the right name
 * @param out folder with an image and its checksum; by default the folder of the built image
 * @returns the output of `make flash`; if `make flash` refuses, the promise rejects with its output
 */
export async function flash(directory: string, answer?: string, out?: string): Promise<string> {
	const { stdout } = await run('losetup', ['--show', '-f', join(directory, 'disk.raw')], { env });
	const device = stdout.trim();
	try {
		const flashing = run(FLASH, [device], out === undefined ? {} : { env: { ...env, KIOSK_OUT: out } });
		flashing.child.stdin?.end(`${answer ?? device}\n`);
		const said = await flashing;
		return said.stdout + said.stderr;
	} finally {
		await run('losetup', ['-d', device], { env });
	}
}

/** @returns offset and length in bytes of the first partition with this name */
async function partition(directory: string, name: string | RegExp): Promise<{ at: number; length: number }> {
	const { stdout } = await run('partx', ['-g', '-o', 'START,SECTORS,NAME', join(directory, 'disk.raw')], { env });
	for (const line of stdout.split('\n')) {
		const [, start, sectors, found] = /(\d+) +(\d+) +(\S+)/.exec(line) ?? [];
		if (found !== undefined && (typeof name === 'string' ? found === name : name.test(found))) {
			return { at: Number(start) * SECTOR, length: Number(sectors) * SECTOR };
		}
	}
	throw new Error(`the disk has no partition ${name}:\n${stdout}`);
}

export const partitionAt = async (directory: string, name: string | RegExp): Promise<number> => (await partition(directory, name)).at;

/** Fills a partition with zeros, as if the disk had lost the partition's contents. */
export async function emptyPartition(directory: string, name: string): Promise<void> {
	const { at, length } = await partition(directory, name);
	await run('fallocate', ['--punch-hole', '--offset', String(at), '--length', String(length), join(directory, 'disk.raw')]);
}

/** Writes files to the setup partition, as a technician does on any computer. */
export async function writeSetup(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
	for (const [name, text] of Object.entries(files)) {
		writeFileSync(join(directory, name), text);
		await copyIn(directory, 'kiosk-setup', join(directory, name), name);
	}
}

const fat = async (directory: string, partition: string) => `${join(directory, 'disk.raw')}@@${await partitionAt(directory, partition)}`;

/** Writes a file to a FAT partition. */
export async function copyIn(directory: string, partition: string, file: string, path: string): Promise<void> {
	await run('mcopy', ['-o', '-i', await fat(directory, partition), file, `::${path}`]);
}

export async function copyOut(directory: string, partition: string, path: string, file: string): Promise<void> {
	await run('mcopy', ['-n', '-i', await fat(directory, partition), `::${path}`, file]);
}

/** Creates a folder on a FAT partition if it does not exist. */
export async function makeFolder(directory: string, partition: string, path: string): Promise<void> {
	await run('mmd', ['-D', 's', '-i', await fat(directory, partition), `::${path}`]).catch((error: unknown) => {
		// Exit code 1 means that mmd skipped an existing folder.
		if ((error as { code?: number }).code !== 1) throw error;
	});
}

export async function deleteFile(directory: string, partition: string, path: string): Promise<void> {
	await run('mdel', ['-i', await fat(directory, partition), `::${path}`]);
}

/** @returns the names in a folder on a FAT partition */
export async function fileNames(directory: string, partition: string, path: string): Promise<string[]> {
	const { stdout } = await run('mdir', ['-b', '-i', await fat(directory, partition), `::/${path}`]);
	return stdout.split('\n').flatMap((line) => /([^/]+)$/.exec(line)?.[1] ?? []);
}

/**
 * @returns the file names of the signed kernel images. The name of a version on trial contains its
 * number of remaining boot attempts.
 */
export const kernelImages = async (directory: string): Promise<string[]> =>
	(await fileNames(directory, 'esp', 'EFI/Linux')).filter((name) => name.endsWith('.efi'));

export function bytesAt(directory: string, at: number, length: number): Buffer {
	const disk = openSync(join(directory, 'disk.raw'), 'r');
	const bytes = Buffer.alloc(length);
	readSync(disk, bytes, 0, length, at);
	closeSync(disk);
	return bytes;
}

/** Flips the lowest bit of one byte of the disk; a second call restores the byte. */
export function flipByte(directory: string, at: number): void {
	const byte = bytesAt(directory, at, 1);
	const disk = openSync(join(directory, 'disk.raw'), 'r+');
	byte.writeUInt8(byte.readUInt8(0) ^ 1);
	writeSync(disk, byte, 0, 1, at);
	closeSync(disk);
}
