/**
 * The oldest version that this kiosk takes. The file is on the journal's partition, which survives
 * a factory reset, so that a version with known faults cannot return.
 */
import { readFileSync } from 'node:fs';
import { replaceFile } from '../base/replace-file.ts';
import { isPublishable, newest } from './version.ts';

/** @returns the floor; null if no version has set one or the file is invalid */
export function readFloor(file: string): string | null {
	try {
		const text = readFileSync(file, 'utf8').trim();
		return isPublishable(text) ? text : null;
	} catch {
		return null;
	}
}

/** Raises the floor; never lowers it. @returns the floor afterwards */
export function raiseFloor(file: string, to: string | undefined): string | null {
	const before = readFloor(file);
	const after = newest([before, to ?? null].filter((version) => version !== null));
	if (after !== null && after !== before) replaceFile(file, `${after}\n`);
	return after;
}
