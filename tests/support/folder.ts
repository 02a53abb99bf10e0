import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/**
 * Makes an empty folder and deletes it after the running test, even if the test fails. A folder
 * made outside a test, e.g. in `beforeAll`, stays. Tests that run concurrently in one file must not
 * use this function, because it cannot tell which of them calls it.
 * @param name begins the folder's name and shows which test uses it
 */
export function temporaryFolder(name: string): string {
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
