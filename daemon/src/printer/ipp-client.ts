/**
 * Printing over IPP. Of the `ipp` package only the two pure functions are used: its own transport has no time limit and
 * throws inside callbacks on answers it cannot parse, which would end the daemon.
 */
import { request as httpRequest } from 'node:http';
import ipp from 'ipp';
import * as v from 'valibot';
import { fail, messageOf, ok, type Result } from '../result.ts';

const CALL_LIMIT_MS = 10_000;
const LARGEST_ANSWER_BYTES = 1024 * 1024;
const SUCCESS_BELOW = 0x0100;

/** `unreachable`: nobody answers IPP there. `refused`: the queue said no; `status` is the IPP status code. */
export type IppError = { code: 'unreachable'; message: string } | { code: 'refused'; status: number; message: string };

/** Attributes with one value come as a scalar, with many as a list. */
const many = v.pipe(
	v.optional(v.union([v.string(), v.array(v.string())]), []),
	v.transform((value) => (Array.isArray(value) ? value : [value])),
);

const JobState = v.picklist(['pending', 'pending-held', 'processing', 'processing-stopped', 'canceled', 'aborted', 'completed']);
const JobAttributes = v.looseObject({ 'job-id': v.number(), 'job-state': v.optional(JobState, 'pending') });
const PrinterAttributes = v.looseObject({ 'printer-state': v.string(), 'printer-state-reasons': many });

export interface Job {
	id: number;
	state: v.InferOutput<typeof JobState>;
}

export interface PrinterState {
	state: string;
	/** Reasons without their severity suffix; "none" is left out. CUPS keeps them from its last contact with the printer. */
	reasons: string[];
}

export interface IppQueue {
	print(name: string, data: Buffer): Promise<Result<Job, IppError>>;
	job(id: number): Promise<Result<Job, IppError>>;
	openJobs(): Promise<Result<Job[], IppError>>;
	cancel(id: number): Promise<Result<void, IppError>>;
	resume(): Promise<Result<void, IppError>>;
	printer(): Promise<Result<PrinterState, IppError>>;
}

/** @param uri as in the settings, e.g. ipp://127.0.0.1:631/printers/receipt */
export function ippQueue(uri: string): IppQueue {
	const address = new URL(uri.replace(/^ipp:/, 'http:'));
	if (address.port === '' && uri.startsWith('ipp:')) address.port = '631';
	const printerUri = uri.replace(/^http:/, 'ipp:');
	let requestId = 0;

	async function call(operation: Operation, attributes: object, data?: Buffer): Promise<Result<Answer, IppError>> {
		requestId = (requestId % 0x7fffffff) + 1;
		const id = requestId;
		try {
			const message = ipp.serialize({
				version: '1.1',
				operation,
				id,
				'operation-attributes-tag': {
					'attributes-charset': 'utf-8',
					'attributes-natural-language': 'en',
					'printer-uri': printerUri,
					'requesting-user-name': 'kiosk',
					...attributes,
				},
				...(data ? { data } : {}),
			} as never);
			return answerOf(await post(address, message), id);
		} catch (error) {
			return fail({ code: 'unreachable', message: messageOf(error) });
		}
	}

	const jobOf = (answer: Result<Answer, IppError>): Result<Job, IppError> => (answer.ok ? firstJob(answer.value) : answer);
	const done = (answer: Result<Answer, IppError>): Result<void, IppError> => (answer.ok ? ok(undefined) : answer);

	return {
		print: async (name, data) => jobOf(await call('Print-Job', { 'job-name': name, 'document-format': 'application/octet-stream' }, data)),
		job: async (id) => jobOf(await call('Get-Job-Attributes', { 'job-id': id, 'requested-attributes': ['job-id', 'job-state'] })),
		async openJobs() {
			const answer = await call('Get-Jobs', { 'which-jobs': 'not-completed', 'requested-attributes': ['job-id', 'job-state'] });
			return answer.ok ? ok(answer.value.jobs) : answer;
		},
		cancel: async (id) => done(await call('Cancel-Job', { 'job-id': id })),
		resume: async () => done(await call('Resume-Printer', {})),
		async printer() {
			const answer = await call('Get-Printer-Attributes', { 'requested-attributes': ['printer-state', 'printer-state-reasons'] });
			if (!answer.ok) return answer;
			const parsed = v.safeParse(PrinterAttributes, answer.value.printer);
			if (!parsed.success) return fail({ code: 'unreachable', message: 'the printer does not tell its state' });
			const reasons = parsed.output['printer-state-reasons'].map((reason) => reason.replace(/-(error|warning|report)$/, ''));
			return ok({ state: parsed.output['printer-state'], reasons: reasons.filter((reason) => reason !== 'none') });
		},
	};
}

type Operation = 'Print-Job' | 'Get-Job-Attributes' | 'Get-Jobs' | 'Cancel-Job' | 'Resume-Printer' | 'Get-Printer-Attributes';

interface Answer {
	jobs: Job[];
	printer: unknown;
}

const Groups = v.looseObject({
	'job-attributes-tag': v.optional(v.union([v.array(v.unknown()), v.looseObject({})])),
	'printer-attributes-tag': v.optional(v.unknown()),
});

/** @throws on bytes that are not an IPP answer to this request */
function answerOf(bytes: Buffer, id: number): Result<Answer, IppError> {
	if (bytes.length < 9 || bytes.readUInt32BE(4) !== id) throw new Error('the answer is not IPP');
	const status = bytes.readUInt16BE(2);
	if (status >= SUCCESS_BELOW) return fail({ code: 'refused', status, message: `IPP status 0x${status.toString(16).padStart(4, '0')}` });
	const groups = v.parse(Groups, ipp.parse(bytes));
	const tag = groups['job-attributes-tag'];
	const jobs = (tag === undefined ? [] : Array.isArray(tag) ? tag : [tag]).map((job) => {
		const parsed = v.parse(JobAttributes, job);
		return { id: parsed['job-id'], state: parsed['job-state'] };
	});
	return ok({ jobs, printer: groups['printer-attributes-tag'] });
}

function firstJob(answer: Answer): Result<Job, IppError> {
	const [job] = answer.jobs;
	return job ? ok(job) : fail({ code: 'unreachable', message: 'the queue did not name the job' });
}

function post(address: URL, message: Buffer): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const request = httpRequest(address, {
			method: 'POST',
			agent: false,
			headers: { 'Content-Type': 'application/ipp', 'Content-Length': message.length },
			signal: AbortSignal.timeout(CALL_LIMIT_MS),
		});
		request.on('error', reject);
		request.on('response', (response) => {
			const chunks: Buffer[] = [];
			let size = 0;
			response.on('data', (chunk: Buffer) => {
				size += chunk.length;
				if (size > LARGEST_ANSWER_BYTES) request.destroy(new Error('the answer is too long'));
				else chunks.push(chunk);
			});
			response.on('error', reject);
			response.on('close', () => {
				if (!response.complete) reject(new Error('the answer was cut off'));
				else if (response.statusCode !== 200) reject(new Error(`HTTP status ${response.statusCode}`));
				else if (!String(response.headers['content-type']).startsWith('application/ipp')) reject(new Error('the answer is not IPP'));
				else resolve(Buffer.concat(chunks));
			});
		});
		request.end(message);
	});
}
