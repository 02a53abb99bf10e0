import ipp from 'ipp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { type Printer, startPrinter } from './start.ts';

let printer: Printer;

beforeEach(async () => {
	printer = await startPrinter({ port: 0, printMs: 5 });
});
afterEach(() => printer.stop());

type Attributes = Record<string, unknown>;
interface Answer {
	statusCode: string;
	id: number;
	'job-attributes-tag': Attributes;
	'printer-attributes-tag': Attributes;
}

/** Sends one IPP call with a public client package, so that sender and simulator share no code. */
async function call(operation: string, attributes: Attributes = {}, data?: Buffer): Promise<Answer> {
	const message = {
		operation,
		id: 7,
		'operation-attributes-tag': {
			'attributes-charset': 'utf-8',
			'attributes-natural-language': 'en',
			'printer-uri': printer.uri,
			...attributes,
		},
		...(data === undefined ? {} : { data }),
	};
	const response = await fetch(printer.uri.replace('ipp:', 'http:'), {
		method: 'POST',
		headers: { 'Content-Type': 'application/ipp' },
		body: new Uint8Array(ipp.serialize(message as never)),
	});
	return ipp.parse(Buffer.from(await response.arrayBuffer())) as unknown as Answer;
}

const print = (text: string) =>
	call(
		'Print-Job',
		{ 'requesting-user-name': 'kiosk', 'job-name': 'Struk INV/1', 'document-format': 'application/vnd.cups-raw' },
		Buffer.from(text),
	);
const jobState = async (id: unknown) => (await call('Get-Job-Attributes', { 'job-id': id }))['job-attributes-tag']['job-state'];
const printerState = async () =>
	(await call('Get-Printer-Attributes', { 'requested-attributes': ['printer-state', 'printer-state-reasons'] }))['printer-attributes-tag'];

test('a job ends as completed, and the queue keeps its exact bytes', async () => {
	const bytes = '\u001b@Bengkel é\n\u0000\u0003\u001dV\u0000';
	const accepted = await print(bytes);
	expect(accepted).toMatchObject({ statusCode: 'successful-ok', id: 7 });
	const id = accepted['job-attributes-tag']['job-id'];
	await until(async () => expect(await jobState(id)).toBe('completed'));
	expect(printer.queue.receipts).toMatchObject([{ name: 'Struk INV/1', format: 'application/vnd.cups-raw' }]);
	expect(printer.queue.receipts[0]?.data).toEqual(Buffer.from(bytes));
});

test('a job waits while paper is missing, and prints as soon as there is paper', async () => {
	printer.queue.set({ paperOut: true });
	const id = (await print('one'))['job-attributes-tag']['job-id'];
	expect(await jobState(id)).toBe('processing');
	expect(await printerState()).toEqual({ 'printer-state': 'processing', 'printer-state-reasons': 'media-empty-error' });
	printer.queue.set({ paperOut: false });
	await until(async () => expect(await jobState(id)).toBe('completed'));
	expect(printer.queue.receipts).toHaveLength(1);
});

test('a cancelled job is not printed and cannot be cancelled again', async () => {
	printer.queue.set({ paperOut: true });
	const first = (await print('first'))['job-attributes-tag']['job-id'];
	await print('second');
	expect((await call('Cancel-Job', { 'job-id': first })).statusCode).toBe('successful-ok');
	expect((await call('Cancel-Job', { 'job-id': first })).statusCode).toBe('client-error-not-possible');
	printer.queue.set({ paperOut: false });
	await until(() => expect(printer.queue.receipts.map((receipt) => receipt.data.toString())).toEqual(['second']));
	expect(await jobState(first)).toBe('canceled');
});

test('a stopped queue keeps jobs until Resume-Printer', async () => {
	printer.queue.pause();
	const id = (await print('one'))['job-attributes-tag']['job-id'];
	expect(await jobState(id)).toBe('pending');
	expect(await printerState()).toMatchObject({ 'printer-state': 'stopped', 'printer-state-reasons': 'paused' });
	await call('Resume-Printer');
	await until(async () => expect(await jobState(id)).toBe('completed'));
});

test('as with CUPS, missing paper is reported only after a print has been tried', async () => {
	await printer.stop();
	printer = await startPrinter({ port: 0, printMs: 5, reportsWhenIdle: false });
	printer.queue.set({ paperOut: true });
	expect(await printerState()).toMatchObject({ 'printer-state-reasons': 'none' });
	const id = (await print('one'))['job-attributes-tag']['job-id'];
	await call('Cancel-Job', { 'job-id': id });
	printer.queue.set({ paperOut: false });
	expect(await printerState()).toMatchObject({ 'printer-state': 'idle', 'printer-state-reasons': 'media-empty-error' });
});

test('faults make the queue abort, hold or refuse new jobs, and a request about an unknown job is answered "not found"', async () => {
	printer.queue.set({ aborts: true });
	const aborted = (await print('one'))['job-attributes-tag']['job-id'];
	await until(async () => expect(await jobState(aborted)).toBe('aborted'));
	printer.queue.set({ aborts: false, holds: true });
	expect(await jobState((await print('two'))['job-attributes-tag']['job-id'])).toBe('pending-held');
	printer.queue.set({ refuses: true });
	expect((await print('three')).statusCode).toBe('server-error-not-accepting-jobs');
	expect((await call('Get-Job-Attributes', { 'job-id': 99 })).statusCode).toBe('client-error-not-found');
});

test('a stopped print server refuses connections and comes back on the same port', async () => {
	await printer.setUp(false);
	await expect(call('Get-Printer-Attributes')).rejects.toThrow();
	await printer.setUp(true);
	expect((await call('Validate-Job')).statusCode).toBe('successful-ok');
});
