import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import {
	type AttributeGroup,
	answerTo,
	attribute,
	GROUP,
	type IppRequest,
	JOB_STATE,
	OPERATION,
	PRINTER_STATE,
	parseRequest,
	STATUS,
} from '../../../tests/simulators/printer/ipp.ts';
import { type IppQueue, ippQueue } from './ipp-client.ts';

let server: Server | null = null;
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
	server = null;
});

/** @returns a client of a print server that reads the request and then calls `answer` */
async function queueOf(
	answer: (response: ServerResponse, body: Buffer, request: IncomingMessage) => void,
	limitMs = 10_000,
): Promise<IppQueue> {
	const started = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		answer(response, Buffer.concat(chunks), request);
	});
	server = started;
	await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
	return ippQueue(`ipp://127.0.0.1:${(started.address() as AddressInfo).port}/printers/receipt`, limitMs);
}

const TYPE = { 'Content-Type': 'application/ipp' };

/** @returns a client of a print server that always gives this answer */
const answering = (status: number, ...groups: AttributeGroup[]) =>
	queueOf((response, body) => response.writeHead(200, TYPE).end(answerTo(parseRequest(body), status, groups)));

const jobGroup = (id: number, state: number, since?: number): AttributeGroup => ({
	tag: GROUP.job,
	attributes: [
		attribute('job-id', 'integer', id),
		attribute('job-state', 'enum', state),
		...(since === undefined ? [] : [attribute('time-at-processing', 'integer', since)]),
	],
});

const failure = (code: string, message: unknown = expect.any(String)) => ({ ok: false, error: expect.objectContaining({ code, message }) });

test('a print request has the operation, queue address, user, document format and unchanged bytes', async () => {
	const requests: IppRequest[] = [];
	const queue = await queueOf((response, body, { url }) => {
		expect(url).toBe('/printers/receipt');
		requests.push(parseRequest(body));
		response.end();
	});
	const data = Buffer.from(Array.from({ length: 256 }, (_, code) => code));
	await queue.print('kiosk 1', { format: 'application/octet-stream', data });
	await queue.print('kiosk 2', { format: 'application/pdf', media: 'custom_struk_80x119mm', data });
	const [request] = requests;
	expect(request?.operation).toBe(OPERATION.printJob);
	expect(Object.fromEntries(request?.attributes ?? [])).toMatchObject({
		'printer-uri': [expect.stringMatching(/^ipp:\/\/127\.0\.0\.1:\d+\/printers\/receipt$/)],
		'requesting-user-name': ['kiosk'],
		'job-name': ['kiosk 1'],
	});
	expect(requests.map(({ attributes }) => attributes.get('document-format'))).toEqual([['application/octet-stream'], ['application/pdf']]);
	expect(requests.map(({ attributes }) => attributes.get('media'))).toEqual([undefined, ['custom_struk_80x119mm']]);
	expect(request?.data.equals(data)).toBe(true);
});

test.each([
	['pending', JOB_STATE.pending, undefined, false],
	['pending', JOB_STATE.pending, 1_795_225_747, true],
	['pending-held', JOB_STATE.pendingHeld, 1_795_225_747, true],
	['processing', JOB_STATE.processing, undefined, true],
	['aborted', JOB_STATE.aborted, 1_795_225_747, true],
	['canceled', JOB_STATE.canceled, undefined, false],
])('a job that is %s (%i), at the printer since %s, may be on paper: %s', async (state, code, since, begun) => {
	const queue = await answering(STATUS.ok, jobGroup(7, code, since));
	expect(await queue.job(7)).toEqual({ ok: true, value: { id: 7, state, begun } });
});

test.each([[[]], [[1]], [[1, 2, 3]]])('the open jobs %j are listed', async (ids) => {
	const queue = await answering(STATUS.ok, ...ids.map((id) => jobGroup(id, JOB_STATE.pending)));
	expect(await queue.openJobs()).toMatchObject({ ok: true, value: ids.map((id) => ({ id })) });
});

test.each([
	[['none'], []],
	[['media-empty-error'], ['media-empty']],
	[
		['media-empty-error', 'cover-open-report', 'paused'],
		['media-empty', 'cover-open', 'paused'],
	],
])('the printer-state-reasons %j are read as %j, without severity and without "none"', async (told, reasons) => {
	const state = attribute('printer-state', 'enum', PRINTER_STATE.stopped);
	const queue = await answering(STATUS.ok, {
		tag: GROUP.printer,
		attributes: [state, attribute('printer-state-reasons', 'keyword', ...told)],
	});
	expect(await queue.printer()).toEqual({ ok: true, value: { state: 'stopped', reasons } });
});

test('a missing job or queue is reported as `not_found`', async () => {
	const queue = await answering(STATUS.notFound);
	expect(await queue.job(1)).toEqual(failure('not_found', 'the queue answers client-error-not-found'));
});

test('the error of a refusal contains the name of its IPP status', async () => {
	const queue = await answering(STATUS.notAcceptingJobs);
	expect(await queue.print('x', { format: 'application/pdf', data: Buffer.from('x') })).toEqual(
		failure('refused', 'the queue answers server-error-not-accepting-jobs'),
	);
});

test('cancelling a job that has ended succeeds even if the queue refuses the cancellation; the same refusal of a resume request is an error', async () => {
	const queue = await answering(STATUS.notPossible);
	expect(await queue.cancel(1)).toEqual({ ok: true, value: undefined });
	expect(await queue.resume()).toEqual(failure('refused'));
});

test('a refused connection is reported as `unreachable`', async () => {
	const queue = await queueOf(() => undefined);
	await new Promise((resolve) => server?.close(resolve));
	expect(await queue.printer()).toEqual(failure('unreachable', expect.stringContaining('ECONNREFUSED')));
});

const HTML = '<html><body>It works!</body></html>';
const head = (id = 1): Buffer => Buffer.from([1, 1, 0, 0, 0, 0, 0, id]);

test.each<[string, string, (response: ServerResponse) => void, string]>([
	['HTTP 500', 'no_answer', (response) => response.writeHead(500, { 'Content-Type': 'text/html' }).end(HTML), 'HTTP 500'],
	['HTTP 403', 'refused', (response) => response.writeHead(403, { 'Content-Type': 'text/html' }).end(HTML), 'HTTP 403'],
	['HTTP 302', 'no_answer', (response) => response.writeHead(302, { Location: 'http://elsewhere.test/' }).end(), 'HTTP 302'],
	['a web page', 'no_answer', (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(HTML), 'text/html, not IPP'],
	['a web page labelled as IPP', 'no_answer', (response) => response.writeHead(200, TYPE).end(HTML), 'not IPP'],
	['an answer without a content type', 'no_answer', (response) => response.writeHead(200).end(head()), 'nothing, not IPP'],
	['an empty body', 'no_answer', (response) => response.writeHead(200, TYPE).end(), '0 bytes'],
	['the answer to another request', 'no_answer', (response) => response.writeHead(200, TYPE).end(head(9)), 'another request'],
	['an answer without a printer state', 'no_answer', (response) => response.writeHead(200, TYPE).end(head()), 'does not tell its state'],
	[
		'an attribute name longer than the body',
		'no_answer',
		(response) => response.writeHead(200, TYPE).end(Buffer.concat([head(), Buffer.from([4, 0x44, 0x7f, 0xff])])),
		'',
	],
	[
		'a connection cut in the body',
		'no_answer',
		(response) => response.writeHead(200, { ...TYPE, 'Content-Length': 100 }).write(head(), () => response.destroy()),
		'aborted',
	],
	['a connection cut before the head', 'no_answer', (response) => response.destroy(), ''],
	['a body of two megabytes', 'no_answer', (response) => response.writeHead(200, TYPE).end(Buffer.alloc(2 * 1024 * 1024)), 'too long'],
])('%s is reported as %s', async (_what, code, answer, message) => {
	const queue = await queueOf(answer);
	expect(await queue.printer()).toEqual(failure(code, expect.stringContaining(message)));
});

test.each<[string, (response: ServerResponse) => void]>([
	['before the head', () => undefined],
	['in the body', (response) => void response.writeHead(200, TYPE).write(head())],
])('a call to a server that stalls %s ends at the time limit', async (_where, answer) => {
	const queue = await queueOf(answer, 200);
	const start = performance.now();
	expect(await queue.printer()).toEqual(failure('no_answer', 'no answer within 200 ms'));
	expect(performance.now() - start).toBeLessThan(5_000);
});

test('a print may take longer than other calls; it is aborted when the kiosk stops', async () => {
	const stopped = new AbortController();
	const answered = Promise.withResolvers<void>();
	const queue = await queueOf((response, body) => {
		void answered.promise.then(() =>
			response.writeHead(200, TYPE).end(answerTo(parseRequest(body), STATUS.ok, [jobGroup(7, JOB_STATE.pending)])),
		);
	}, 50);
	const print = () =>
		queue.print('x', { format: 'application/pdf', data: Buffer.from('x') }, { limitMs: 60_000, stopping: stopped.signal });
	const stalled = print();
	expect(await queue.printer()).toEqual(failure('no_answer'));
	stopped.abort();
	expect(await stalled).toEqual(failure('no_answer'));
	expect(await print()).toEqual(failure('unreachable'));
	const patient = queue.print('x', { format: 'application/pdf', data: Buffer.from('x') }, { limitMs: 60_000 });
	expect(await queue.printer()).toEqual(failure('no_answer'));
	answered.resolve();
	expect(await patient).toMatchObject({ ok: true, value: { id: 7 } });
});

test('for any bytes in a response, the call returns a result and never throws', async () => {
	let answer = Buffer.alloc(0);
	const queue = await queueOf((response, body) =>
		response.writeHead(200, TYPE).end(Buffer.concat([body.subarray(0, 2), Buffer.from([0, 0]), body.subarray(4, 8), answer])),
	);
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
			answer = Buffer.from(bytes);
			expect(typeof (await queue.openJobs()).ok).toBe('boolean');
		}),
		{ numRuns: 100 },
	);
});
