/**
 * `kiosk-update share OLD NEW`, for developers: how many of the new root's blocks the old root also
 * contains. A changed seed, block size or compression reduces this share to zero without an error.
 */
import { readFileSync } from 'node:fs';
import { shareOf } from './block-plan.ts';
import { parseVerity, type VerityTree } from './verity-tree.ts';

/** @param old @param fresh files with the hash partitions @returns lines for the terminal */
export function shareText(old: string, fresh: string): string {
	const { blocks, zero, equal, fetched, bytes, requests } = shareOf(treeIn(fresh), treeIn(old));
	const used = blocks - zero;
	const mb = (count: number): string => (count / 1_000_000).toFixed(1);
	return [
		`blocks of 4096 bytes  ${blocks}, ${zero} of them empty`,
		`equal                 ${equal} of ${used} (${((100 * equal) / used).toFixed(1)} %)`,
		`to fetch              ${fetched} blocks, ${mb(bytes)} MB in ${requests} requests`,
		'',
	].join('\n');
}

function treeIn(file: string): VerityTree {
	const parsed = parseVerity(readFileSync(file), null);
	if (!parsed.ok) throw new Error(`${file}: ${parsed.error.message}`);
	return parsed.value;
}
