import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { begin, directory, journal, journalOfEachTest } from '../journal/journal.fixture.ts';
import { journalCalls } from './journal-calls.ts';

journalOfEachTest();

/** Requests a restart with a new journal. @returns status and code of the answer */
async function restart(now: string): Promise<{ status: number; code: string }> {
	const trouble = () => ({ code: 'journal_unhealthy', message: 'it is damaged' });
	const handler = journalCalls({
		directory,
		keyFile: '',
		journal: {
			trouble,
			begun: () => null,
			provedNames: async () => ({ list: null, isLast: false }),
			restart: () => ({ ok: false, error: { code: 'allowed', message: '' } }),
		} as never,
		cash: { progress: () => [], acceptorState: () => 'inhibited' } as never,
		card: { progress: () => [] } as never,
		box: { counting: () => null },
		newId: () => '',
		now: () => now,
		end: vi.fn(),
		log: { event: vi.fn() },
	});
	const request = Object.assign(Readable.from([Buffer.from('{"by":"Sari","why":"damaged"}')]), { method: 'POST' });
	const answer = { status: 0, code: '' };
	const response = {
		writeHead: (status: number) => {
			answer.status = status;
		},
		setHeader: () => {},
		end: (text: string) => {
			answer.code = JSON.parse(text).code;
		},
	};
	await handler(request as unknown as IncomingMessage, response as unknown as ServerResponse, '/journal/restart');
	return answer;
}

test('no new journal begins for 40 s after a note without an outcome, even if an older note has a time in the future', async () => {
	begin(50_000, 7, '2027-11-21T14:31:08+07:00');
	begin(20_000, 8, '2026-11-21T14:31:08+07:00');
	expect(await restart('2026-11-21T14:31:38+07:00')).toEqual({ status: 409, code: 'busy' });
	expect(await restart('2026-11-21T14:31:49+07:00')).toEqual({ status: 503, code: 'allowed' });
	expect(journal.trouble()).toBeNull();
});
