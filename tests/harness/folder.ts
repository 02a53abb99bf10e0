import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/**
 * An empty folder, gone with the test that runs now, also when that fails before it tidies up. Not for tests that run beside each
 * other in one file: which of them asks cannot be told.
 * @param name by which a person knows whose it is
 */
export function temporaryFolder(name: string): string {
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
