import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import type { JournalError } from '../journal/trouble.ts';
import { staffActCalls } from './staff-act-calls.ts';

const CLOSED: JournalError = { code: 'journal_unhealthy', message: 'the sync failed' };
const FULL: JournalError = { code: 'disk_full', message: 'the disk is full' };

/** @returns status and code of the answer to a request from a page with a staff session */
async function asked(
	path: string,
	trouble: JournalError | null,
	touch = vi.fn(),
	body: string | null = null,
): Promise<{ status: number; code: string | undefined }> {
	const answer: { status: number; code: string | undefined } = { status: 0, code: undefined };
	const response = {
		writeHead: (status: number) => {
			answer.status = status;
		},
		end: (text: string) => {
			answer.code = JSON.parse(text).code;
		},
	};
	const calls = staffActCalls({
		box: { state: () => ({}) } as never,
		people: { list: () => [] } as never,
		slips: null,
		rehearsals: null,
		cases: { list: () => ({ cases: [] }) } as never,
		sessions: { of: () => ({ id: 'page', key: '' }) },
		staff: { isOpen: () => true, touch },
		journal: { trouble: () => trouble },
		log: { event: vi.fn() },
	});
	const request = Object.assign(Readable.from(body === null ? [] : [Buffer.from(body)]), { method: body === null ? 'GET' : 'POST' });
	await calls(request as unknown as IncomingMessage, response as unknown as ServerResponse, path);
	return answer;
}

test.each(['/kiosk/staff/box', '/kiosk/staff/cases', '/kiosk/staff/names'])(
	'%s is refused while the journal cannot be read, but not while the disk is full',
	async (path) => {
		expect(await asked(path, CLOSED)).toEqual({ status: 409, code: 'journal_closed' });
		expect(await asked(path, FULL)).toEqual({ status: 200, code: undefined });
		expect(await asked(path, null)).toEqual({ status: 200, code: undefined });
	},
);

test('GET requests of the page do not extend the staff session, but an action of staff does', async () => {
	const touch = vi.fn();
	for (const path of ['rehearsal', 'names', 'box', 'cases']) await asked(`/kiosk/staff/${path}`, null, touch);
	expect(touch).not.toHaveBeenCalled();
	await asked('/kiosk/staff/slip', null, touch, '{"code":"A"}');
	expect(touch).toHaveBeenCalledOnce();
});
