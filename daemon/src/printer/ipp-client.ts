/**
 * Printing over IPP. Only `serialize` and the status codes of the `ipp` package are used. The
 * package's transport has no timeout. On an invalid response the transport throws inside a
 * callback, and the package's parser exhausts memory on 42 damaged bytes: either would end the
 * daemon.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { type IppGroup, JOB_GROUP, PRINTER_GROUP, readIppAnswer } from './ipp-answer.ts';

/** Limit of a call. CUPS on the same PC normally answers within milliseconds. */
const CALL_LIMIT_MS = 5_000;
const LARGEST_ANSWER_BYTES = 1024 * 1024;
/** The first status code that is an error; lower codes mean success (RFC 8011, appendix B). */
const FIRST_ERROR = 0x0100;
const NOT_POSSIBLE = 0x0404;
const NOT_FOUND = 0x0406;

/**
 * `unreachable`: no connection, so nothing was sent. `no_answer`: the server was reached but gave
 * no valid response, so the operation may have been executed. `not_found`: no such queue or job.
 * `refused`: the server refused the operation.
 */
export interface IppError {
	code: 'unreachable' | 'no_answer' | 'not_found' | 'refused';
	message: string;
}

export interface Job {
	id: number;
	state: 'pending' | 'pending-held' | 'processing' | 'processing-stopped' | 'canceled' | 'aborted' | 'completed';
	/** Whether CUPS has ever begun to process the job, so that paper may have come out. */
	begun: boolean;
}

export interface PrinterState {
	state: 'idle' | 'processing' | 'stopped';
	/**
	 * Reasons without severity suffix, and without "none". CUPS reports the reasons from its last
	 * contact with the printer.
	 */
	reasons: string[];
}

/** Data to print. */
export interface Document {
	/**
	 * `octet-stream` is sent to the printer unchanged. PDF needs a queue with a driver, or a
	 * printer that reads PDF.
	 */
	format: 'application/octet-stream' | 'application/pdf';
	/**
	 * Paper size: a custom size as in PWG 5101.1. If it is missing, a queue with a driver uses the
	 * default size.
	 */
	media?: string;
	data: Buffer;
}

/** Limits of a call. */
interface Patience {
	/** Time limit of the call, from connecting to the last byte of the response. */
	limitMs: number;
	/** Aborts the call when the kiosk stops. */
	stopping?: AbortSignal;
}

export interface IppQueue {
	/**
	 * @param patience its time limit should be longer than that of a query, because after a timeout
	 * paper may still come out
	 */
	print(name: string, document: Document, patience?: Patience): Promise<Result<Job, IppError>>;
	job(id: number): Promise<Result<Job, IppError>>;
	/** Jobs of this kiosk that have not ended; jobs of other users are left out. */
	openJobs(): Promise<Result<Job[], IppError>>;
	/** Cancels a job. The result is also ok if the job has already ended. */
	cancel(id: number): Promise<Result<void, IppError>>;
	/** Resumes a stopped queue. */
	resume(): Promise<Result<void, IppError>>;
	printer(): Promise<Result<PrinterState, IppError>>;
}

type Operation = 'Print-Job' | 'Get-Job-Attributes' | 'Get-Jobs' | 'Cancel-Job' | 'Resume-Printer' | 'Get-Printer-Attributes';

const USER = 'kiosk';
const JOB_ATTRIBUTES = { 'requested-attributes': ['job-id', 'job-state', 'time-at-processing'] };

/**
 * @param uri from the settings, e.g. ipp://127.0.0.1:631/printers/receipt
 * @param limitMs time limit of one call, from connecting to the last byte of the response
 */
export function ippQueue(uri: string, limitMs = CALL_LIMIT_MS): IppQueue {
	const address = new URL(uri.replace(/^ipp:/, 'http:'));
	if (address.port === '' && uri.startsWith('ipp:')) address.port = '631';
	const printerUri = address.href.replace(/^http:/, 'ipp:');
	let requestId = 0;

	/** Calls the print server. @returns the response, or why there is none */
	async function call(
		operation: Operation,
		attributes: object,
		document?: Document,
		patience: Patience = { limitMs },
	): Promise<Result<Answer, Failure>> {
		// The package is imported at the first call, because its tables would take a twentieth of the
		// daemon's start time.
		const { default: ipp } = await import('ipp');
		requestId = (requestId % 0x7fffffff) + 1;
		const id = requestId;
		const message = ipp.serialize({
			version: '1.1',
			operation,
			id,
			'operation-attributes-tag': {
				'attributes-charset': 'utf-8',
				'attributes-natural-language': 'en',
				'printer-uri': printerUri,
				'requesting-user-name': USER,
				...attributes,
			},
			...(document?.media ? { 'job-attributes-tag': { media: document.media } } : {}),
			...(document ? { data: document.data } : {}),
		});
		const answered = await post(address, message, patience);
		if (!answered.ok) return answered;
		try {
			return answerOf(answered.value, id, ipp.statusCodes);
		} catch (error) {
			return fail({ code: 'no_answer', message: `the answer is not IPP: ${messageOf(error)}` });
		}
	}

	return {
		async print(name, document, patience) {
			return theJob(await call('Print-Job', { 'job-name': name, 'document-format': document.format }, document, patience));
		},
		job: async (id) => theJob(await call('Get-Job-Attributes', { 'job-id': id, ...JOB_ATTRIBUTES })),
		async openJobs() {
			const answer = await call('Get-Jobs', { 'which-jobs': 'not-completed', 'my-jobs': true, ...JOB_ATTRIBUTES });
			return answer.ok ? ok(answer.value.jobs) : answer;
		},
		async cancel(id) {
			const answer = await call('Cancel-Job', { 'job-id': id });
			return answer.ok || answer.error.status === NOT_POSSIBLE ? ok(undefined) : answer;
		},
		async resume() {
			const answer = await call('Resume-Printer', {});
			return answer.ok ? ok(undefined) : answer;
		},
		async printer() {
			const answer = await call('Get-Printer-Attributes', { 'requested-attributes': ['printer-state', 'printer-state-reasons'] });
			if (!answer.ok) return answer;
			return answer.value.printer ? ok(answer.value.printer) : fail({ code: 'no_answer', message: 'the queue does not tell its state' });
		},
	};
}

type Failure = IppError & { status?: number };

interface Answer {
	jobs: Job[];
	printer: PrinterState | null;
}

/** RFC 8011, 5.3.7 and 5.4.11: names of the numeric states. */
const JOB_STATES: Readonly<Record<number, Job['state']>> = {
	3: 'pending',
	4: 'pending-held',
	5: 'processing',
	6: 'processing-stopped',
	7: 'canceled',
	8: 'aborted',
	9: 'completed',
};
const PRINTER_STATES: Readonly<Record<number, PrinterState['state']>> = { 3: 'idle', 4: 'processing', 5: 'stopped' };

/** @throws on a job without a number or with an unknown state */
function jobIn({ attributes }: IppGroup): Job {
	const id = attributes.get('job-id')?.[0];
	const [number = 3] = attributes.get('job-state') ?? [];
	const state = JOB_STATES[Number(number)];
	if (typeof id !== 'number' || state === undefined) throw new Error('a job without its number or state');
	// "time-at-processing" remains when a job returns to pending after a failed attempt.
	return { id, state, begun: state.startsWith('processing') || (attributes.get('time-at-processing')?.length ?? 0) > 0 };
}

/** @throws on an unknown state */
function printerIn({ attributes }: IppGroup): PrinterState {
	const state = PRINTER_STATES[Number(attributes.get('printer-state')?.[0])];
	if (state === undefined) throw new Error('a printer without its state');
	const reasons = (attributes.get('printer-state-reasons') ?? []).map((reason) => String(reason).replace(/-(error|warning|report)$/, ''));
	return { state, reasons: reasons.filter((reason) => reason !== 'none') };
}

/**
 * @param codes IPP status codes by name
 * @throws on bytes that are not an IPP response to this request
 */
function answerOf(bytes: Buffer, id: number, codes: object): Result<Answer, Failure> {
	const { status, requestId, groups } = readIppAnswer(bytes);
	if (requestId !== id) throw new Error('it belongs to another request');
	if (status < FIRST_ERROR) {
		const printer = groups.find(({ tag }) => tag === PRINTER_GROUP);
		return ok({ jobs: groups.filter(({ tag }) => tag === JOB_GROUP).map(jobIn), printer: printer ? printerIn(printer) : null });
	}
	const [name = `IPP status 0x${status.toString(16)}`] = Object.entries(codes).find(([, code]) => code === status) ?? [];
	const message = `the queue answers ${name}`;
	return fail({ code: status === NOT_FOUND ? 'not_found' : 'refused', status, message });
}

function theJob(answer: Result<Answer, Failure>): Result<Job, IppError> {
	if (!answer.ok) return answer;
	const [job] = answer.value.jobs;
	return job ? ok(job) : fail({ code: 'no_answer', message: 'the queue does not name the job' });
}

async function post(address: URL, message: Buffer, { limitMs, stopping }: Patience): Promise<Result<Buffer, IppError>> {
	// `AbortSignal.timeout` is not used, because its timer would keep every finished call and its
	// document in memory until the limit.
	const limit = new AbortController();
	const timer = setTimeout(() => limit.abort(), limitMs);
	const headers = { 'Content-Type': 'application/ipp', 'Content-Length': message.length };
	const request = httpRequest(address, { method: 'POST', agent: false, headers, signal: limit.signal });
	const stop = (): void => limit.abort();
	stopping?.addEventListener('abort', stop);
	if (stopping?.aborted) stop();
	// A connection may emit a second error after the first; an unhandled error would end the daemon.
	request.on('error', () => undefined);
	let connected = false;
	request.once('socket', (socket) =>
		socket.once('connect', () => {
			connected = true;
		}),
	);
	try {
		const answered = once(request, 'response');
		request.end(message);
		const [response] = (await answered) as [IncomingMessage];
		const status = response.statusCode ?? 0;
		if (status === 200) return ok(await bodyOf(response));
		return fail({ code: status >= 400 && status < 500 ? 'refused' : 'no_answer', message: `the server answers HTTP ${status}` });
	} catch (error) {
		const message = limit.signal.aborted && !stopping?.aborted ? `no answer within ${limitMs} ms` : messageOf(error);
		return fail({ code: connected ? 'no_answer' : 'unreachable', message });
	} finally {
		clearTimeout(timer);
		stopping?.removeEventListener('abort', stop);
		request.destroy();
	}
}

/** @throws if the body is cut off, too long or of another type */
async function bodyOf(response: IncomingMessage): Promise<Buffer> {
	const type = response.headers['content-type'] ?? 'nothing';
	if (!type.startsWith('application/ipp')) throw new Error(`the answer is ${type}, not IPP`);
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of response) {
		size += chunk.length;
		if (size > LARGEST_ANSWER_BYTES) throw new Error('the answer is too long');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
