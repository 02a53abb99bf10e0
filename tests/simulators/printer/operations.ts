import {
	type Attribute,
	type AttributeGroup,
	answerTo,
	attribute,
	GROUP,
	type IppRequest,
	OPERATION,
	PRINTER_STATE,
	parseRequest,
	STATUS,
} from './ipp.ts';
import type { Job, PrintQueue } from './queue.ts';

const FORMATS = ['application/octet-stream', 'application/vnd.cups-raw', 'application/pdf', 'text/plain'];
const SUPPORTED = Object.values(OPERATION);

interface Answer {
	status: number;
	groups: AttributeGroup[];
}

const refuse = (status: number): Answer => ({ status, groups: [] });
const ok = (...groups: AttributeGroup[]): Answer => ({ status: STATUS.ok, groups });

/**
 * @param uri the address at which clients reach the printer
 * @returns the IPP answer to one IPP request; throws RangeError for a truncated request
 */
export function answerIpp(queue: PrintQueue, uri: string, bytes: Buffer): Buffer {
	const request = parseRequest(bytes);
	const { status, groups } = perform(queue, uri, request);
	return answerTo(request, status, groups);
}

function perform(queue: PrintQueue, uri: string, request: IppRequest): Answer {
	switch (request.operation) {
		case OPERATION.printJob:
			return printJob(queue, uri, request);
		case OPERATION.validateJob:
			return ok();
		case OPERATION.getPrinterAttributes:
			return ok({ tag: GROUP.printer, attributes: requested(request, printerAttributes(queue, uri)) });
		case OPERATION.getJobs:
			return getJobs(queue, uri, request);
		case OPERATION.getJobAttributes:
			return withJob(queue, request, (job) => ok({ tag: GROUP.job, attributes: requested(request, jobAttributes(queue, uri, job)) }));
		case OPERATION.cancelJob:
			return withJob(queue, request, (job) => (queue.cancel(job) ? ok() : refuse(STATUS.notPossible)));
		case OPERATION.pausePrinter:
			queue.pause();
			return ok();
		case OPERATION.resumePrinter:
			queue.resume();
			return ok();
		default:
			return refuse(STATUS.operationNotSupported);
	}
}

function printJob(queue: PrintQueue, uri: string, request: IppRequest): Answer {
	if (queue.faults.refuses) return refuse(STATUS.notAcceptingJobs);
	if (request.data.length === 0) return refuse(STATUS.badRequest);
	const format = text(request, 'document-format') ?? 'application/octet-stream';
	if (!FORMATS.includes(format)) return refuse(STATUS.documentFormatNotSupported);
	const job = queue.add({
		name: text(request, 'job-name') ?? 'untitled',
		user: text(request, 'requesting-user-name') ?? 'anonymous',
		format,
		data: Buffer.from(request.data),
	});
	return ok({ tag: GROUP.job, attributes: jobAttributes(queue, uri, job) });
}

function getJobs(queue: PrintQueue, uri: string, request: IppRequest): Answer {
	const finished = text(request, 'which-jobs') === 'completed';
	const limit = request.attributes.get('limit')?.[0];
	const jobs = queue.jobs.filter((job) => queue.isFinished(job) === finished).slice(0, typeof limit === 'number' ? limit : undefined);
	return ok(...jobs.map((job) => ({ tag: GROUP.job, attributes: requested(request, jobAttributes(queue, uri, job)) })));
}

/** Finds the job by job-id, or by the number at the end of job-uri. */
function withJob(queue: PrintQueue, request: IppRequest, then: (job: Job) => Answer): Answer {
	const id = request.attributes.get('job-id')?.[0] ?? Number(text(request, 'job-uri')?.match(/\/(\d+)$/)?.[1]);
	const job = queue.find(Number(id));
	return job === undefined ? refuse(STATUS.notFound) : then(job);
}

function jobAttributes(queue: PrintQueue, uri: string, job: Job): Attribute[] {
	return [
		attribute('job-uri', 'uri', `${uri}/${job.id}`),
		attribute('job-id', 'integer', job.id),
		attribute('job-state', 'enum', job.state),
		attribute('job-state-reasons', 'keyword', ...(job.reasons.length > 0 ? job.reasons : ['none'])),
		attribute('job-name', 'name', job.name),
		attribute('job-originating-user-name', 'name', job.user),
		attribute('job-printer-uri', 'uri', uri),
		attribute('job-printer-up-time', 'integer', queue.upTime),
		attribute('time-at-creation', 'integer', job.createdAt),
		...(job.processingAt === null ? [] : [attribute('time-at-processing', 'integer', job.processingAt)]),
		...(job.completedAt === null ? [] : [attribute('time-at-completed', 'integer', job.completedAt)]),
	];
}

function printerAttributes(queue: PrintQueue, uri: string): Attribute[] {
	const reasons = queue.reasons;
	const name = Object.entries(PRINTER_STATE).find(([, state]) => state === queue.state)?.[0] ?? 'idle';
	return [
		attribute('printer-uri-supported', 'uri', uri),
		attribute('uri-authentication-supported', 'keyword', 'none'),
		attribute('uri-security-supported', 'keyword', 'none'),
		attribute('printer-name', 'name', 'receipt'),
		attribute('printer-info', 'text', 'Receipt printer (simulated)'),
		attribute('printer-make-and-model', 'text', 'Simulated 80 mm receipt printer'),
		attribute('printer-state', 'enum', queue.state),
		attribute('printer-state-reasons', 'keyword', ...(reasons.length > 0 ? reasons : ['none'])),
		attribute('printer-state-message', 'text', reasons.length > 0 ? reasons.join(', ') : name),
		attribute('printer-is-accepting-jobs', 'boolean', !queue.faults.refuses),
		attribute('printer-up-time', 'integer', queue.upTime),
		attribute('queued-job-count', 'integer', queue.jobs.filter((job) => !queue.isFinished(job)).length),
		attribute('operations-supported', 'enum', ...SUPPORTED),
		attribute('ipp-versions-supported', 'keyword', '1.1', '2.0'),
		attribute('charset-configured', 'charset', 'utf-8'),
		attribute('charset-supported', 'charset', 'utf-8'),
		attribute('natural-language-configured', 'language', 'en'),
		attribute('generated-natural-language-supported', 'language', 'en'),
		attribute('document-format-default', 'mime', 'application/octet-stream'),
		attribute('document-format-supported', 'mime', ...FORMATS),
		attribute('pdl-override-supported', 'keyword', 'not-attempted'),
		attribute('compression-supported', 'keyword', 'none'),
	];
}

/** @returns the attributes that the request asks for; "all" or the name of a group means all */
function requested(request: IppRequest, attributes: Attribute[]): Attribute[] {
	const wanted = request.attributes.get('requested-attributes');
	if (wanted === undefined || wanted.some((name) => name === 'all' || name === 'printer-description' || name === 'job-description')) {
		return attributes;
	}
	return attributes.filter(({ name }) => wanted.includes(name));
}

function text(request: IppRequest, name: string): string | undefined {
	const value = request.attributes.get(name)?.[0];
	return value === undefined ? undefined : String(value);
}
