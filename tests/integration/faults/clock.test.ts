import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saleShown, startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let kiosk: Kiosk;
let screen: Screen;
beforeEach(async () => {
	kiosk = await startKiosk({
		acceptor: { timing: { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 300, returnMs: 20 } },
		edc: {},
		movableClock: true,
		environment: stateBeside,
	});
	screen = await kiosk.screen();
});
afterEach(() => kiosk.stop());

const jump = (ms: number): void => kiosk.shiftWall(ms);
const booked = () => kiosk.backOffice.books.notes.map((note) => note.nominal);

const accepted = (nominal: number): Promise<void> => feedNote(kiosk, nominal, 'accepted');

const credited = (count: number) => until(() => expect(screen.of('payment_cash_notification')).toHaveLength(count));

/** @returns the journal's record numbers and times in order, and each note's day in site time */
function journal(): { seqs: number[]; ats: number[]; days: string[] } {
	const db = new DatabaseSync(join(kiosk.directory, 'journal', 'journal.sqlite'), { readOnly: true });
	try {
		const records = db.prepare('SELECT seq, at FROM records ORDER BY seq').all();
		const notes = db.prepare('SELECT time FROM notes ORDER BY credited_seq').all();
		return {
			seqs: records.map(({ seq }) => Number(seq)),
			ats: records.map(({ at }) => Number(at)),
			days: notes.map(({ time }) => String(time).slice(0, 10)),
		};
	} finally {
		db.close();
	}
}

const goesOnAfter = async (_where: string, ms: number): Promise<void> => {
	const invoice = await kiosk.openCash(BUDI);
	await accepted(50_000);
	jump(ms);
	await credited(1);
	await accepted(100_000);
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: invoice.id, is_paid: true }));
	await until(() => expect(booked()).toEqual([50_000, 100_000]));
	expect(screen.of('kiosk_note_in_doubt')).toEqual([]);
	expect(screen.of('kiosk_note_returned')).toEqual([]);
	expect(kiosk.daemon.events('acceptor.line_lost')).toEqual([]);
	const { seqs, ats } = journal();
	expect(seqs).toEqual(seqs.map((_seq, at) => at + 1));
	expect(Math.abs((ats.at(-1) ?? 0) - (ats[0] ?? 0) - ms)).toBeLessThan(HOUR_MS / 2);
	expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
};
const JUMP = 'if the clock jumps %s during stacking, the payment continues and the records stay in order';
test.each([
	['a year ahead', 365 * DAY_MS],
	['to the year 2000', Date.UTC(2000, 0, 1) - Date.now()],
])(JUMP, goesOnAfter);
test.each([
	['a day ahead', DAY_MS],
	['an hour back', -HOUR_MS],
	['a day back', -DAY_MS],
])(JUMP, { tags: 'deep' }, goesOnAfter);

test('if the clock jumps during a card sale, the sale is approved only once and reported only once', async () => {
	await terminalReady(screen);
	const invoice = await kiosk.lookUp(BUDI);
	startCardFor(screen, invoice);
	await saleShown(screen, 'acked');
	jump(DAY_MS);
	await tapCard(kiosk);
	await until(() => expect(kiosk.backOffice.books.approvals).toMatchObject([{ no_invoice: invoice.noinvoice, repeats: 0 }]));
	expect((await kiosk.health()).card).toMatchObject({ unknown: [], twice: [] });
});

test('a kiosk that starts with its clock in the year 2000 takes money, and a later start finds all records in order', async () => {
	const invoice = await kiosk.openCash(BUDI);
	await accepted(20_000);
	await credited(1);
	await kiosk.crash(() => jump(Date.UTC(2000, 0, 1) - Date.now()));
	screen = await kiosk.screen();
	expect((await kiosk.health()).parts.find((part) => part.part === 'journal')).toMatchObject({ state: 'ok' });
	await kiosk.openCash(BUDI);
	await accepted(50_000);
	await credited(1);
	await kiosk.crash(() => jump(0));
	screen = await kiosk.screen();
	const opened = await kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI });
	expect(opened.body).toMatchObject({ entries: [{ nominal: 20_000 }, { nominal: 50_000 }] });
	await until(() => expect(booked()).toEqual([20_000, 50_000]));
	const { seqs, days } = journal();
	expect(seqs).toEqual(seqs.map((_seq, at) => at + 1));
	expect(days[1]).toBe('2000-01-01');
	expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
});

const waitsTheSame = async (_where: string, ms: number): Promise<void> => {
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'payment-cash' });
	jump(ms);
	await kiosk.openCash(BUDI);
	await accepted(20_000);
	await credited(1);
	jump(0);
	const outbox = async () => (await kiosk.health()).parts.find(({ part }) => part === 'outbox')?.text;
	await until(async () =>
		expect(await outbox()).toMatch(/^1 note\(s\), Rp 20000, wait for the back office, the oldest for [1-9]\d* (s|min) /),
	);
	const metrics = await (await fetch(`${kiosk.daemon.service}/metrics`)).text();
	const seconds = Number(/^kiosk_outbox_oldest_seconds (.+)$/m.exec(metrics)?.[1]);
	expect(seconds).toBeGreaterThan(0);
	expect(seconds).toBeLessThan(HOUR_MS / 1_000);
};
const WAIT = 'health and metrics show the real waiting time of a note that was taken with the clock %s';
test.each([['in the year 2000', Date.UTC(2000, 0, 1) - Date.now()]])(WAIT, waitsTheSame);
test.each([['a year ahead', 365 * DAY_MS]])(WAIT, { tags: 'deep' }, waitsTheSame);

test('notes before and after midnight are recorded each on its own day, but in the same cashbox period', async () => {
	// The clock starts at 23:59:40 in Jakarta (16:59:40 UTC).
	const today = new Date();
	const night = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate(), 16, 59, 40);
	jump(night - Date.now());
	await kiosk.openCash(BUDI);
	await accepted(10_000);
	await credited(1);
	jump(night + 60_000 - Date.now());
	await accepted(20_000);
	await credited(2);
	const { days } = journal();
	expect(days).toEqual(
		[new Date(night + 7 * HOUR_MS), new Date(night + 7 * HOUR_MS + DAY_MS)].map((day) => day.toISOString().slice(0, 10)),
	);
	await until(() => expect(booked()).toEqual([10_000, 20_000]));
	expect((await kiosk.ctl('cash', 'report')).out).toMatch(/expected in the box +Rp 30\.000/);
});
