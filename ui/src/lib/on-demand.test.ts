// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOAD_LIMIT_MS, onDemand } from './on-demand.ts';

const report = vi.fn(async () => new Response());

beforeEach(() => {
	report.mockClear();
	vi.useFakeTimers();
	vi.spyOn(console, 'error').mockReturnValue();
	vi.stubGlobal('fetch', report);
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

test('a part of the page is loaded only once, even if several calls wait for it', async () => {
	const load = vi.fn(async () => 'part');
	const part = onDemand(load);
	expect(await Promise.all([part(), part()])).toEqual(['part', 'part']);
	expect(await part()).toBe('part');
	expect(load).toHaveBeenCalledTimes(1);
});

test('if loading fails, the next call tries again; the fault is reported once', async () => {
	const load = vi
		.fn(async () => 'part')
		.mockRejectedValueOnce(new Error('lost'))
		.mockRejectedValueOnce(new Error('lost'));
	const part = onDemand(load);
	expect([await part(), await part(), await part()]).toEqual([null, null, 'part']);
	expect(report).toHaveBeenCalledTimes(1);
});

test('if the daemon does not send a part of the page, the call ends after a time limit', async () => {
	const load = vi.fn(async () => 'part').mockReturnValueOnce(new Promise<string>(() => {}));
	const part = onDemand(load);
	const first = part();
	await vi.advanceTimersByTimeAsync(LOAD_LIMIT_MS);
	expect(await first).toBeNull();
	expect(await part()).toBe('part');
});
