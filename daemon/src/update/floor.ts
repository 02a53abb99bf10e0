/**
 * The oldest version that this kiosk takes. It is stored with the journal, whose partition survives
 * a factory reset, so that an old version with known faults cannot be brought back.
 */
import { readFileSync } from 'node:fs';
import { replaceFile } from '../base/replace-file.ts';
import { isPublishable, newest } from './version.ts';

/** @returns null if no version has set one, or if the file cannot be understood */
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
