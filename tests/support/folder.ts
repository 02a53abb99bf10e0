import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/**
 * Makes an empty folder and deletes it after the running test, even after a failure. Outside a
 * test, e.g. in a hook for all tests, the folder stays. Concurrent tests of one file must not use
 * this function, because it cannot tell them apart.
 * @param name prefix that shows the folder's user
 */
export function temporaryFolder(name: string): string {
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
