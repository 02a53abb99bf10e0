import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { openLogos } from './logos.ts';
import type { LogoRaster } from './raster.ts';

const ADDRESS = 'https://dealer.example/logo.png';
const DRAWN: LogoRaster = { width: 8, height: 1, bits: '/w==' };

const read = vi.fn<(address: string, signal: AbortSignal) => Promise<Buffer>>();
const decode = vi.fn<(file: Buffer) => Promise<LogoRaster | null>>();
const event = vi.fn();

beforeEach(() => {
	vi.useFakeTimers();
	read.mockReset().mockResolvedValue(Buffer.from('file'));
	decode.mockReset().mockResolvedValue(DRAWN);
	event.mockReset();
});
afterEach(() => void vi.useRealTimers());

const open = () => openLogos({ read, decode, clock: systemClock, log: { event } });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a logo is fetched and decoded only once; an empty address gives no logo', async () => {
	const logo = open();
	expect([await logo(ADDRESS), await logo(ADDRESS), await logo('')]).toEqual([DRAWN, DRAWN, null]);
	expect([read.mock.calls.length, decode.mock.calls.length]).toEqual([1, 1]);
});

test('a receipt waits at most two seconds for its logo; a logo that arrives later is used for the next receipt', async () => {
	read.mockImplementation(() => new Promise((resolve) => void setTimeout(() => resolve(Buffer.from('file')), 5_000)));
	const logo = open();
	const told = vi.fn();
	void logo(ADDRESS).then(told);
	await pass(1_990);
	expect(told).not.toHaveBeenCalled();
	await pass(20);
	expect(told).toHaveBeenCalledWith(null);
	await pass(5_000);
	expect(await logo(ADDRESS)).toEqual(DRAWN);
	expect(read).toHaveBeenCalledOnce();
});

test('the download of a logo is aborted after ten seconds and retried only after a minute', async () => {
	read.mockImplementation((_address, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
	const logo = open();
	const first = logo(ADDRESS);
	await pass(11_000);
	expect(await first).toBeNull();
	expect(event).toHaveBeenCalledWith('print.no_logo', { reason: 'no picture within 10000 ms' });
	expect(await logo(ADDRESS)).toBeNull();
	expect(read).toHaveBeenCalledOnce();
	await pass(60_000);
	read.mockResolvedValue(Buffer.from('file'));
	expect(await logo(ADDRESS)).toEqual(DRAWN);
});

test('a data URL needs no request; SVG and oversized data are not accepted as a logo', async () => {
	const logo = open();
	expect(await logo(`data:image/png;base64,${Buffer.from('inside').toString('base64')}`)).toEqual(DRAWN);
	expect(decode).toHaveBeenCalledWith(Buffer.from('inside'));
	expect(await logo('data:image/svg+xml,%3Csvg/%3E')).toBeNull();
	expect(await logo(`data:image/png;base64,${'A'.repeat(3_000_000)}`)).toBeNull();
	expect([read.mock.calls.length, decode.mock.calls.length]).toEqual([0, 1]);
});

test('logos are decoded one at a time, and only the last eight are kept', async () => {
	let running = 0;
	let most = 0;
	decode.mockImplementation(async () => {
		running += 1;
		most = Math.max(most, running);
		await new Promise((resolve) => setTimeout(resolve, 10));
		running -= 1;
		return DRAWN;
	});
	const logo = open();
	const all = Promise.all(Array.from({ length: 10 }, (_, at) => logo(`${ADDRESS}?${at}`)));
	await pass(200);
	await all;
	expect(most).toBe(1);
	void logo(`${ADDRESS}?9`);
	expect(read).toHaveBeenCalledTimes(10);
	void logo(`${ADDRESS}?0`);
	expect(read).toHaveBeenCalledTimes(11);
});
