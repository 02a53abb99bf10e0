import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StaffHome } from '@kiosk/contract/staff-home';
import { expect, test } from 'vitest';
import { type Disk, failingStore } from '../journal/failing-store.fixture.ts';
import { journal, journalOfEachTest, openAgain, take } from '../journal/journal.fixture.ts';
import { staffHomeCalls } from './staff-home.ts';

journalOfEachTest();

const call = { since: '2026-11-24T14:05:00+07:00', screen: '/' as const, invoice: '' };

/** @returns the staff home, as a page with a staff session gets it */
async function home(): Promise<StaffHome> {
	let body = '';
	const response = { writeHead: () => {}, end: (text: string) => (body = text) };
	const answer = staffHomeCalls({
		health: { report: () => ({ version: '0.1.0', parts: [{ part: 'cash', state: 'fail' }] }) as never },
		journal,
		cases: { list: () => ({ cases: journal.money.attention().map(() => ({ kind: 'partial' })) }) as never },
		call: { answer: () => false, shown: () => call },
		sessions: { of: () => ({ id: 'page', key: '' }) },
		staff: { isOpen: () => true },
		midnight: () => Date.now() - 3_600_000,
	});
	await answer({ method: 'GET' } as IncomingMessage, response as unknown as ServerResponse, '/kiosk/staff/home');
	return JSON.parse(body);
}

const parts = [{ part: 'cash', state: 'fail' }];
const figures = { today: { notes: 1 }, cases: { partial: 1 } };
const noFigures = { version: '0.1.0', call, today: null, cases: null, parts };

test('while the journal cannot be read, staff get the parts and the customer’s call, but no figures', async () => {
	take(50_000);
	let disk: Disk = 'broken';
	journal.close();
	openAgain(
		0,
		failingStore(() => disk),
	);
	expect(await home()).toEqual(noFigures);
	disk = 'well';
	expect(journal.reopen()).toBeNull();
	expect(await home()).toMatchObject(figures);
});

test.each([1, 2, 3, 4])('if read %i of the figures fails, staff get no figures', async (failing) => {
	take(50_000);
	journal.close();
	let reads = Number.NEGATIVE_INFINITY;
	openAgain(
		0,
		failingStore(
			() => 'well',
			() => {
				reads += 1;
				return reads === failing;
			},
		),
	);
	expect(await home()).toMatchObject(figures);
	reads = 0;
	expect(await home()).toEqual(noFigures);
});

test('if the disk is full but the journal can be read, staff get the figures', async () => {
	take(50_000);
	journal.close();
	openAgain(Number.MAX_SAFE_INTEGER);
	expect(journal.trouble()?.code).toBe('disk_full');
	expect(await home()).toMatchObject(figures);
});
