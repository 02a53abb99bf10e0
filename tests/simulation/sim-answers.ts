/** Answers of the simulated servers, valid and invalid. */
import type { BackOfficeAnswer, BackOfficeCall, NoAnswer } from '../../daemon/src/back-office/client.ts';
import { ok, type Result } from '../../daemon/src/base/result.ts';
import type { Answer } from '../simulators/back-office/calls.ts';
import type { Fields } from '../simulators/http.ts';
import type { Random } from '../support/random.ts';

/** Invalid answers of a broken server; the client must cope with each of them. */
const ODD_BODIES = [
	'',
	'null',
	'[]',
	'"ok"',
	'{',
	'{"results":',
	'{"results":null}',
	'{"results":{"id":1}}',
	'<h1>Error</h1>',
	'"\\ud800"',
];
const ODD_STATUSES = [200, 201, 204, 301, 302, 400, 404, 409, 418, 422, 500, 599];

/** Parses a multipart body's JSON field synchronously, because only the world may advance time. */
export const fieldsOf = (body: Buffer | undefined): Fields =>
	JSON.parse(/\r\n\r\n(.*)\r\n--/s.exec(body?.toString('utf8') ?? '')?.[1] ?? '{}') as Fields;

/**
 * Whether this call is an empty note, which the kiosk sends to learn whether the server has the
 * call for notes.
 */
export const isEmptyNote = ({ body }: BackOfficeCall): boolean => fieldsOf(body).note_id === undefined;

/** Copies an answer, so that later changes of the books do not change an answer in flight. */
export const copyOf = (answer: Answer): Answer => ({ status: answer.status, body: structuredClone(answer.body) });

/**
 * A web page, such as a network's log-in page, confirms nothing; see docs/developer/back-office.md.
 */
export const isWebPage = ({ contentType, body }: BackOfficeAnswer): boolean =>
	contentType === 'text/html' && body.toString().startsWith('<');

/** @returns an invalid answer with this HTTP status or a higher one */
export const oddAnswer = (random: Random, least = 200): Result<BackOfficeAnswer, NoAnswer> =>
	ok({
		status: random.pick(ODD_STATUSES.filter((status) => status >= least)),
		contentType: random.pick(['application/json', 'text/html']),
		setCookie: [],
		body: Buffer.from(random.pick(ODD_BODIES)),
	});

export const answerOf = (status: number, body: unknown): Result<BackOfficeAnswer, NoAnswer> =>
	ok({ status, contentType: 'application/json', setCookie: [], body: Buffer.from(JSON.stringify(body)) });
