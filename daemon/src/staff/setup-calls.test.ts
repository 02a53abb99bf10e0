import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Journal } from '../journal/journal.ts';
import { setupCalls } from './setup-calls.ts';

/** @returns the status of the answer, and the names of the settings that were confirmed */
async function confirm(changed: readonly string[], settings: readonly string[]): Promise<[number, readonly string[]]> {
	let confirmed: readonly string[] = [];
	let status = 0;
	const seal = {
		unconfirmed: () => changed,
		confirmSettings() {
			confirmed = changed;
			return changed;
		},
		onConfirm: () => {},
	};
	const request = Object.assign(Readable.from([Buffer.from(JSON.stringify({ by: 'Sari', settings }))]), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
	}) as unknown as IncomingMessage;
	const response = {
		writeHead(code: number) {
			status = code;
			return this;
		},
		end() {},
		setHeader() {},
	} as unknown as ServerResponse;
	const handle = setupCalls({ seal, journal: {} as Journal, server: 'https://office.example' });
	await handle(request, response, '/setup/confirm');
	return [status, confirmed];
}

test('changed settings are confirmed only if they are exactly those that the technician has seen', async () => {
	expect(await confirm(['[edc] port'], ['[edc] port'])).toEqual([200, ['[edc] port']]);
	expect(await confirm(['[back_office] url', '[edc] port'], ['[edc] port'])).toEqual([409, []]);
	expect(await confirm([], ['[edc] port'])).toEqual([409, []]);
});
