/**
 * Makes other versions of the built image in seconds: the same files with a few bytes changed, new
 * hashes, and a kernel image signed by the image's key. A kiosk cannot distinguish these versions
 * from built versions.
 */
import { execFile } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KEYS } from './kernel-addon.ts';

const run = promisify(execFile);
const IMAGE = join(import.meta.dirname, '..', '..', 'image');
const SECTOR = 512;
/** Old and new text have the same length, so nothing moves on the disk. */
export type Change = readonly [before: string, after: string];

export interface Variant {
	/** Folder that receives the files under their published names. */
	folder: string;
	/** Changes in small files, which the system's file system stores uncompressed. */
	changes?: readonly Change[];
	/** Kernel parameters that are added to those of the image. */
	parameters?: string;
}

/** @returns the version of the image under test */
export const builtVersion = (out = join(IMAGE, 'out')): string =>
	(JSON.parse(readFileSync(join(out, 'kiosk.manifest'), 'utf8')) as { config: { version: string } }).config.version;

/**
 * @param number its last digit becomes the third number of the version, and its tens are added to
 * the second number
 * @returns a later version of the same length
 */
export const versionLike = (version: string, number: number): string =>
	version.replace(/^(\d+)\.(\d+)\.\d/, (_, first, second) => `${first}.${Number(second) + Math.floor(number / 10)}.${number % 10}`);

interface Partition {
	start: number;
	sectors: number;
}

async function partitionOf(image: string, label: string): Promise<Partition> {
	const { stdout } = await run('partx', ['-g', '-o', 'START,SECTORS,NAME', image]);
	const [, start, sectors] = new RegExp(`^ *(\\d+) +(\\d+) +${label.replaceAll('.', '\\.')} *$`, 'm').exec(stdout) ?? [];
	if (start === undefined) throw new Error(`${image} has no partition ${label}:\n${stdout}`);
	return { start: Number(start), sectors: Number(sectors) };
}

async function copyPartition(image: string, { start, sectors }: Partition, file: string): Promise<void> {
	const where = [`skip=${start * SECTOR}`, `count=${sectors * SECTOR}`, 'iflag=skip_bytes,count_bytes'];
	await run('dd', [`if=${image}`, `of=${file}`, 'bs=4M', 'conv=sparse', 'status=none', ...where]);
	truncateSync(file, sectors * SECTOR);
}

async function change(file: string, [before, after]: Change): Promise<void> {
	if (Buffer.byteLength(before) !== Buffer.byteLength(after)) throw new Error(`"${after}" is not as long as "${before}"`);
	const { stdout } = await run('grep', ['-aboF', before, file]);
	const places = stdout.split('\n').filter((line) => line !== '');
	if (places.length === 0) throw new Error(`the system does not contain "${before}"`);
	const open = openSync(file, 'r+');
	for (const place of places) writeSync(open, after, Number.parseInt(place, 10));
	closeSync(open);
}

/** Runs a program of the image builder, which sees the folder as /mnt and the keys as /run. */
async function inBuilder(folder: string, ...command: readonly string[]): Promise<string> {
	const box = ['--ro-bind', join(IMAGE, '.builder'), '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
	const { stdout } = await run('bwrap', [...box, '--ro-bind', KEYS, '/run', '--bind', folder, '/mnt', ...command]);
	return stdout;
}

/**
 * Makes the published files of a version in the folder.
 * @returns the names of the three files
 */
export async function makeVariant(
	version: string,
	{ folder, changes = [], parameters = '' }: Variant,
	out = join(IMAGE, 'out'),
): Promise<string[]> {
	const image = join(out, 'kiosk.raw');
	const built = builtVersion(out);
	mkdirSync(folder, { recursive: true });
	const [root, verity] = [join(folder, 'root'), join(folder, 'verity')];
	await copyPartition(image, await partitionOf(image, `kiosk_${built}`), root);
	const hashes = await partitionOf(image, `kiosk_${built}_v`);
	await copyPartition(image, { ...hashes, sectors: 8 }, verity);
	const dump = await inBuilder(folder, 'veritysetup', 'dump', '/mnt/verity');
	const [salt, uuid] = [/^Salt:\s+(\S+)/m.exec(dump)?.[1] ?? '', /^UUID:\s+(\S+)/m.exec(dump)?.[1] ?? ''];
	for (const one of [[`IMAGE_VERSION="${built}"`, `IMAGE_VERSION="${version}"`] as const, ...changes]) await change(root, one);
	rmSync(verity);
	writeFileSync(verity, '');
	truncateSync(verity, hashes.sectors * SECTOR);
	const formatted = await inBuilder(folder, 'veritysetup', 'format', `--salt=${salt}`, `--uuid=${uuid}`, '/mnt/root', '/mnt/verity');
	const hash = /^Root hash:\s+([0-9a-f]{64})$/m.exec(formatted)?.[1];
	if (hash === undefined) throw new Error(`veritysetup printed no root hash:\n${formatted}`);

	const names = [`kiosk_${version}_${hash.slice(0, 32)}.root.raw`, `kiosk_${version}_${hash.slice(32)}.verity.raw`, `kiosk_${version}.efi`];
	await makeKernelImage(folder, join(out, 'kiosk.efi'), version, hash, parameters);
	for (const [from, to] of [
		['root', names[0]],
		['verity', names[1]],
		['kernel', names[2]],
	] as const) {
		await run('mv', [join(folder, from), join(folder, to ?? '')]);
	}
	return names;
}

async function makeKernelImage(folder: string, image: string, version: string, hash: string, parameters: string): Promise<void> {
	const parts = ['linux', 'initrd', 'ucode', 'cmdline', 'osrel', 'uname'];
	copyFileSync(image, join(folder, 'from.efi'));
	const dumps = parts.flatMap((part) => ['--dump-section', `.${part}=${join(folder, `part.${part}`)}`]);
	await run('objcopy', [...dumps, join(folder, 'from.efi'), join(folder, 'copied.efi')]);
	const text = (part: string) =>
		readFileSync(join(folder, `part.${part}`), 'utf8')
			.replace(/\0+$/, '')
			.trim();
	const line = text('cmdline').replace(/\broothash=[0-9a-f]+/, `roothash=${hash}`);
	writeFileSync(join(folder, 'part.cmdline'), `${line} ${parameters}`.trim());
	writeFileSync(join(folder, 'part.osrel'), `${text('osrel').replace(/^IMAGE_VERSION=.*$/m, `IMAGE_VERSION="${version}"`)}\n`);
	await inBuilder(
		folder,
		...['ukify', 'build', '--linux=/mnt/part.linux', '--initrd=/mnt/part.initrd', '--microcode=/mnt/part.ucode'],
		'--cmdline=@/mnt/part.cmdline',
		...['--os-release=@/mnt/part.osrel', `--uname=${text('uname')}`, '--signtool=systemd-sbsign', '--no-sign-kernel'],
		...['--secureboot-private-key=/run/mkosi.key', '--secureboot-certificate=/run/mkosi.crt', '--output=/mnt/kernel'],
	);
	for (const file of ['from.efi', 'copied.efi', ...parts.map((part) => `part.${part}`)]) rmSync(join(folder, file));
}
