import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/**
 * Makes an empty folder, deleted after the running test even if that fails early. Concurrent tests
 * of one file must not use it, because they cannot be told apart.
 * @param name prefix that shows whose folder it is
 */
export function temporaryFolder(name: string): string {
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
