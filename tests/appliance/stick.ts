/** Makes USB sticks with given partition names; the first partition has a FAT file system. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MIB = 2 ** 20;
/** Start of the first partition, bytes. Every partitioning tool puts it there. */
const AT = MIB;

/**
 * @param partitions partition names; the first partition gets the files
 * @param files paths on this host, copied to the folder "kiosk-update"
 */
export async function makeStick(file: string, partitions: readonly string[], files: readonly string[], mebibytes: number): Promise<void> {
	rmSync(file, { force: true });
	await run('truncate', ['-s', `${mebibytes + 8 * partitions.length}M`, file]);
	const lines = partitions.map((name, index) => `${index === 0 ? `start=2048, size=${mebibytes - 2}MiB` : 'size=4MiB'}, name="${name}"`);
	const table = run('sfdisk', ['--quiet', file]);
	table.child.stdin?.end(`label: gpt\n${lines.join('\n')}\n`);
	await table;
	const at = `${file}@@${AT}`;
	await run('mformat', ['-i', at, '-F', '-T', String(((mebibytes - 2) * MIB) / 512), '::']);
	await run('mmd', ['-i', at, '::kiosk-update']);
	for (const one of files) await run('mcopy', ['-i', at, one, '::kiosk-update/']);
}
