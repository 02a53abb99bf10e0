import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/**
 * An empty folder, deleted after the running test even when that fails early. Not for concurrent
 * tests of one file, which cannot be told apart.
 * @param name prefix that shows whose folder it is
 */
export function temporaryFolder(name: string): string {
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
