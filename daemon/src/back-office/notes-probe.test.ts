import { expect, test } from 'vitest';
import { fail, ok } from '../base/result.ts';
import { askForNotes, judgeNotesAnswer } from './notes-probe.ts';

const PATH = '/payment-cash/';
const judge = (status: number, loggedIn = true) => judgeNotesAnswer({ status, problem: null }, PATH, loggedIn);

test.each([
	[400, 'ok'],
	[422, 'ok'],
	[409, 'ok'],
	[404, 'fail'],
	[405, 'fail'],
	[401, 'fail'],
	[403, 'fail'],
	[200, 'warn'],
	[201, 'warn'],
	[302, 'fail'],
	[429, 'fail'],
	[500, 'fail'],
])('if the server answers an empty note with %i, the result is %s', (status, state) => {
	expect(judge(status)).toMatchObject({ state, text: expect.stringContaining(`${PATH} answered ${status}`) });
});

test('without a login, a refusal proves only that the path exists, and 404 proves that the path does not exist', () => {
	expect(judge(401, false)).toMatchObject({ state: 'unknown' });
	expect(judge(404, false)).toMatchObject({ state: 'fail', text: expect.stringContaining('does not know the call for notes') });
});

test('the probe sends a form without a note, and a missing answer is a failure', async () => {
	const asked: string[] = [];
	const answered = await askForNotes(
		async ({ method, path, body }) => {
			asked.push(`${method} ${path} ${/\r\n\r\n(.*)\r\n/.exec(String(body))?.[1]}`);
			return ok({ status: 400, contentType: '', setCookie: [], body: Buffer.alloc(0) });
		},
		PATH,
		{},
	);
	expect(asked).toEqual([`POST ${PATH} {}`]);
	expect(answered).toEqual({ status: 400, problem: null });
	const silent = await askForNotes(async () => fail({ code: 'timeout', message: 'no answer within 50000 ms' }), PATH, {});
	expect(judgeNotesAnswer(silent, PATH, true)).toMatchObject({ state: 'fail' });
});
