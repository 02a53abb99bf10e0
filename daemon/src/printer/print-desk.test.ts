import { randomUUID } from 'node:crypto';
import type { LiveText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { COPY, MOST_LINES, type Receipt } from '@kiosk/contract/receipt';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { journal, journalOfEachTest } from '../journal/journal.fixture.ts';
import { keyOf } from '../journal/payment.fixture.ts';
import type { PaymentKey } from '../journal/records.ts';
import type { CodeOf } from '../proof/paper-code.ts';
import type { IppQueue, Job } from './ipp-client.ts';
import { type PrintDesk, startPrintDesk } from './print-desk.ts';
import type { Validity } from './print-job.ts';
import { BARE_RECEIPT } from './receipt.fixture.ts';
import { type ReceiptFace, receiptFace } from './receipt-face.ts';
import { CLOCK_IN_DOUBT, codeRows, type PaperRow, receiptRows } from './receipt-rows.ts';

// Faults that a real print server rarely shows; tests/integration/printing uses real print servers.

const LIMIT_MS = 60_000;
const SLIP_FACTS = { kind: 'partial', noinvoice: '1', amount: rupiah(20_000), change: rupiah(0) } as const;

let told: LiveText[];
let troubles: (string | null)[];
let logged: { id: string; [field: string]: unknown }[];
let desk: PrintDesk | null;
let inDoubt: boolean;
let coded: CodeOf;

journalOfEachTest();
beforeEach(() => {
	vi.useFakeTimers();
	told = [];
	troubles = [];
	logged = [];
	drawn = [];
	desk = null;
	inDoubt = false;
	coded = () => null;
});
afterEach(async () => {
	await desk?.stop();
	vi.useRealTimers();
});

const NO_ANSWER = fail({ code: 'no_answer', message: 'no answer within 5000 ms' } as const);
const DONE = ok(undefined);
const job = (state: Job['state'], begun: boolean) => ok({ id: 1, state, begun });
const IDLE = ok({ state: 'idle' as const, reasons: [] });

/** A queue whose job never finishes. Methods in `otherwise` replace the usual ones. */
function queueWith(otherwise: Partial<IppQueue>): { [call in keyof IppQueue]: ReturnType<typeof vi.fn<IppQueue[call]>> } {
	return {
		print: vi.fn(otherwise.print ?? (async () => job('pending', false))),
		job: vi.fn(otherwise.job ?? (async () => job('processing', true))),
		openJobs: vi.fn(otherwise.openJobs ?? (async () => ok([]))),
		cancel: vi.fn(otherwise.cancel ?? (async () => DONE)),
		resume: vi.fn(otherwise.resume ?? (async () => DONE)),
		printer: vi.fn(otherwise.printer ?? (async () => IDLE)),
	};
}

/** The rows of every receipt and slip so far. */
let drawn: (readonly PaperRow[])[];
const DRAWN: ReceiptFace = async (rows) => {
	drawn.push(rows);
	return { format: 'application/octet-stream', data: Buffer.from('receipt') };
};

function open(queue: IppQueue, face = DRAWN): PrintDesk {
	desk = startPrintDesk({
		queue,
		face,
		logo: async () => null,
		limitMs: LIMIT_MS,
		clockInDoubt: () => inDoubt,
		codeOf: (print_id, facts) => coded(print_id, facts),
		journal,
		newId: randomUUID,
		clock: systemClock,
		log: { event: (id, fields) => void logged.push({ id, ...fields }) },
		notify: (text) => told.push(text),
		onPaperTrouble: (trouble) => troubles.push(trouble),
	});
	return desk;
}

/** The payment and reason of each failed printout in the log. */
const failures = () => logged.filter(({ id }) => id === 'print.failed').map(({ payment_id, reason }) => [payment_id, reason]);

const OF_7 = { id: 7, key: keyOf(7) };
const validIf = (isTrue: () => boolean, freshen = async () => true): Validity => ({ isTrue, freshen });
const PAID = validIf(() => true);

/**
 * Prints a receipt and waits until its time limit has passed.
 * @returns the last message to the screen
 */
async function printed(desk: PrintDesk): Promise<string> {
	desk.print(OF_7, BARE_RECEIPT, PAID);
	await vi.advanceTimersByTimeAsync(LIMIT_MS + 1_000);
	const last = told.at(-1);
	return last?.type === 'kiosk_print' ? `${last.state} ${last.reason ?? ''}`.trim() : 'nothing';
}

test('if the response to a print request is lost, the job is cancelled and the next print is a copy', async () => {
	const queue = queueWith({ print: async () => NO_ANSWER });
	queue.openJobs.mockResolvedValueOnce(ok([])).mockResolvedValueOnce(ok([]));
	queue.openJobs.mockResolvedValueOnce(ok([{ id: 3, state: 'processing', begun: true }]));
	expect(await printed(open(queue))).toBe('failed queue_unreachable');
	expect(queue.cancel.mock.calls).toEqual([[3]]);
	expect(journal.timesPrinted(keyOf(7))).toBe(1);
	const titles = () => drawn.map((rows) => rows.some((row) => row.kind === 'title' && row.text === COPY));
	expect(titles()).toEqual([false]);
	await desk?.stop();
	expect(await printed(open(queueWith({ job: async () => job('completed', true) })))).toBe('done');
	expect(titles()).toEqual([false, true]);
});

test('if the queue is unreachable or refuses a print, nothing is printed and the next print is the original', async () => {
	for (const code of ['unreachable', 'refused'] as const) {
		const queue = queueWith({ print: async () => fail({ code, message: '' }) });
		expect(await printed(open(queue))).toMatch(/^failed/);
		await desk?.stop();
	}
	expect(journal.timesPrinted(keyOf(7))).toBe(0);
});

test('a receipt waits while the queue does not answer; it then prints once, as the original', async () => {
	const queue = queueWith({ job: async () => job('completed', true) });
	const opened = open(queue);
	await vi.advanceTimersByTimeAsync(0);
	queue.openJobs.mockResolvedValueOnce(NO_ANSWER);
	queue.printer.mockResolvedValueOnce(NO_ANSWER);
	queue.print.mockResolvedValueOnce(fail({ code: 'unreachable', message: '' }));
	expect(await printed(opened)).toBe('done');
	expect(told.map((text) => text.type === 'kiosk_print' && [text.state, text.reason])).toEqual([
		['printing', undefined],
		['printing', 'queue_unreachable'],
		['printing', undefined],
		['done', undefined],
	]);
	expect(queue.print).toHaveBeenCalledTimes(2);
	expect(opened.trouble()).toBeNull();
});

test('if the queue accepts a receipt but does not respond, the screen is informed, and checks of the queue do not accumulate', async () => {
	const answered = Promise.withResolvers<void>();
	const queue = queueWith({ job: async () => job('completed', true) });
	queue.print.mockImplementation(() => answered.promise.then(() => job('pending', false)));
	const opened = open(queue);
	opened.print(OF_7, BARE_RECEIPT, PAID);
	await vi.advanceTimersByTimeAsync(6_000);
	expect(told.at(-1)).toMatchObject({ state: 'printing', reason: 'queue_unreachable' });
	answered.resolve();
	await vi.advanceTimersByTimeAsync(1_000);
	expect(told.slice(-2)).toMatchObject([{ state: 'printing' }, { state: 'done' }]);
	expect(told.at(-2)).not.toHaveProperty('reason');
	// From now on each request to the queue fails after five seconds.
	queue.openJobs.mockImplementation(() => new Promise((resolve) => setTimeout(() => resolve(NO_ANSWER), 5_000)));
	opened.print(OF_7, BARE_RECEIPT, PAID);
	await vi.advanceTimersByTimeAsync(30_000);
	const stopped = opened.stop();
	const looks = queue.openJobs.mock.calls.length;
	await vi.advanceTimersByTimeAsync(60_000);
	await stopped;
	expect(queue.openJobs.mock.calls.length - looks).toBeLessThan(2);
});

test('a receipt that waits for the queue is given up at its limit, if its invoice is no longer paid, or if the kiosk stops', async () => {
	let paid = true;
	const queue = queueWith({ openJobs: async () => NO_ANSWER });
	const opened = open(queue);
	expect(await printed(opened)).toBe('failed queue_unreachable');
	opened.print(
		OF_7,
		BARE_RECEIPT,
		validIf(() => paid),
	);
	await vi.advanceTimersByTimeAsync(5_000);
	paid = false;
	await vi.advanceTimersByTimeAsync(1_000);
	expect(told.at(-1)).toMatchObject({ state: 'failed', reason: 'not_paid' });
	opened.print(OF_7, BARE_RECEIPT, PAID);
	await vi.advanceTimersByTimeAsync(5_000);
	await opened.stop();
	expect(told.at(-1)).toMatchObject({ state: 'failed', reason: 'stopping' });
	expect([queue.print.mock.calls.length, journal.timesPrinted(keyOf(7))]).toEqual([0, 0]);
});

/**
 * Prints a receipt whose invoice is no longer paid after the next look-up. @returns that look-up
 */
function printUnpaid(opened: PrintDesk) {
	let paid = true;
	const freshen = vi.fn(async () => {
		paid = false;
		return true;
	});
	const validity = validIf(() => paid, freshen);
	opened.print(OF_7, BARE_RECEIPT, validity);
	return freshen;
}

test('if a receipt has waited for the queue, its invoice is looked up again before the receipt is sent', async () => {
	let answers = false;
	const queue = queueWith({ openJobs: async () => (answers ? ok([]) : NO_ANSWER), job: async () => job('completed', true) });
	const opened = open(queue);
	const freshen = printUnpaid(opened);
	await vi.advanceTimersByTimeAsync(5_000);
	expect(freshen).not.toHaveBeenCalled();
	answers = true;
	await vi.advanceTimersByTimeAsync(2_000);
	expect(told.at(-1)).toMatchObject({ state: 'failed', reason: 'not_paid' });
	expect([freshen.mock.calls.length, queue.print.mock.calls.length]).toEqual([1, 0]);
});

test('if a receipt has waited for an earlier printout, its invoice is looked up again before the receipt is sent', async () => {
	const queue = queueWith({ job: async () => job('processing', true) });
	const opened = open(queue);
	opened.print({ id: 8, key: keyOf(8) }, BARE_RECEIPT, PAID);
	await vi.advanceTimersByTimeAsync(1_000);
	const freshen = printUnpaid(opened);
	await vi.advanceTimersByTimeAsync(30_000);
	expect(freshen).not.toHaveBeenCalled();
	queue.job.mockImplementation(async () => job('completed', true));
	await vi.advanceTimersByTimeAsync(2_000);
	expect(told.at(-1)).toMatchObject({ state: 'failed', reason: 'not_paid' });
	expect([freshen.mock.calls.length, queue.print.mock.calls.length]).toEqual([1, 1]);
});

test('a receipt that has waited is not sent if the new look-up of its invoice gives no usable result', async () => {
	let answers = false;
	const queue = queueWith({ openJobs: async () => (answers ? ok([]) : NO_ANSWER) });
	const opened = open(queue);
	const validity = validIf(
		() => true,
		async () => false,
	);
	opened.print(OF_7, BARE_RECEIPT, validity);
	await vi.advanceTimersByTimeAsync(5_000);
	answers = true;
	await vi.advanceTimersByTimeAsync(2_000);
	expect(told.at(-1)).toMatchObject({ state: 'failed', reason: 'journal_unhealthy' });
	expect(queue.print).not.toHaveBeenCalled();
});

test('a receipt whose look-up ends after its limit is not sent, and the next receipt is an original', async () => {
	let answers = false;
	const queue = queueWith({ openJobs: async () => (answers ? ok([]) : NO_ANSWER), job: async () => job('completed', true) });
	const opened = open(queue);
	const freshen = () => new Promise<boolean>((resolve) => setTimeout(resolve, 5_000, true));
	opened.print(
		OF_7,
		BARE_RECEIPT,
		validIf(() => true, freshen),
	);
	await vi.advanceTimersByTimeAsync(LIMIT_MS - 3_000);
	answers = true;
	await vi.advanceTimersByTimeAsync(10_000);
	expect(told.at(-1)).toMatchObject({ state: 'failed' });
	expect(queue.print).not.toHaveBeenCalled();
	expect(opened.print(OF_7, BARE_RECEIPT, PAID).copy).toBe(false);
});

test('a receipt that cannot be rendered fails; the next receipt prints', async () => {
	const face = vi.fn(DRAWN).mockRejectedValueOnce(new Error('no such font'));
	const queue = queueWith({ job: async () => job('completed', true) });
	const opened = open(queue, face);
	expect(await printed(opened)).toBe('failed not_drawn');
	expect([queue.print.mock.calls.length, journal.timesPrinted(keyOf(7))]).toEqual([0, 0]);
	expect(await printed(opened)).toBe('done');
});

test('a receipt that waits for paper is given up when its invoice is no longer paid, but a receipt that is being printed continues', async () => {
	let paid = true;
	let reasons = ['media-empty'];
	const queue = queueWith({ job: async () => job('processing', true), printer: async () => ok({ ...IDLE.value, reasons }) });
	const opened = open(queue);
	opened.print(
		OF_7,
		BARE_RECEIPT,
		validIf(() => paid),
	);
	await vi.advanceTimersByTimeAsync(3_000);
	expect(told.at(-1)).toMatchObject({ state: 'printing', reason: 'paper_out' });
	paid = false;
	await vi.advanceTimersByTimeAsync(1_000);
	expect(told.at(-1)).toMatchObject({ state: 'failed', reason: 'not_paid' });
	expect([queue.cancel.mock.calls, opened.trouble()]).toEqual([[[1]], 'paper_out']);
	reasons = [];
	paid = true;
	opened.print(
		OF_7,
		BARE_RECEIPT,
		validIf(() => paid),
	);
	await vi.advanceTimersByTimeAsync(3_000);
	paid = false;
	await vi.advanceTimersByTimeAsync(1_000);
	expect([told.at(-1), queue.cancel.mock.calls.length]).toMatchObject([{ state: 'printing' }, 1]);
	opened.print(
		{ id: 8, key: keyOf(8) },
		BARE_RECEIPT,
		validIf(() => false),
	);
	await vi.advanceTimersByTimeAsync(LIMIT_MS + 1_000);
	expect(queue.print).toHaveBeenCalledTimes(2);
});

test('a job that completes while it is being cancelled counts as done', async () => {
	let cancelled = false;
	const queue = queueWith({ job: async () => job(cancelled ? 'completed' : 'processing', true) });
	queue.cancel.mockImplementation(async () => {
		cancelled = true;
		return DONE;
	});
	expect(await printed(open(queue))).toBe('done');
});

test('if a job never reached the printer, the next print is the original', async () => {
	const queue = queueWith({ job: async () => job('pending', false) });
	expect(await printed(open(queue))).toBe('failed timeout');
	expect(queue.cancel).toHaveBeenCalledOnce();
	expect(journal.timesPrinted(keyOf(7))).toBe(0);
});

test('a failed cancellation is retried until the queue is empty', async () => {
	const queue = queueWith({});
	queue.cancel.mockResolvedValueOnce(NO_ANSWER).mockResolvedValueOnce(NO_ANSWER).mockResolvedValueOnce(DONE);
	const opened = open(queue);
	queue.openJobs.mockImplementation(async () =>
		ok(queue.cancel.mock.results.length < 3 ? [{ id: 1, state: 'processing', begun: true }] : []),
	);
	queue.openJobs.mockResolvedValueOnce(ok([])).mockResolvedValueOnce(ok([]));
	expect(await printed(opened)).toBe('failed timeout');
	expect(opened.trouble()).not.toBeNull();
	await vi.advanceTimersByTimeAsync(10_000);
	expect(queue.cancel).toHaveBeenCalledTimes(3);
});

/** A receipt with the most lines that the contract allows, each with a long name. */
const LONG_RECEIPT: Receipt = {
	...BARE_RECEIPT,
	lines: Array.from({ length: MOST_LINES }, () => ({ name: 'Servis '.repeat(17), qty: 1.125, price: -1_000_000, subtotal: -1_125_000 })),
};

test('if too many bytes wait for the printer, a further receipt or slip is refused and logged; it can be printed later', async () => {
	let answers = false;
	const queue = queueWith({ openJobs: async () => (answers ? ok([]) : NO_ANSWER), print: async () => job('completed', true) });
	const opened = open(queue);
	const print = (id: number) => opened.print({ id, key: keyOf(id) }, LONG_RECEIPT, PAID);
	const refused = () => told.filter((text) => text.type === 'kiosk_print' && text.reason === 'too_many_prints');
	let begun = 0;
	for (; refused().length === 0 && begun < 1_000; begun += 1) print(begun);
	expect(refused()).toMatchObject([{ state: 'failed' }]);
	// More than 100 receipts are enough for customers; fewer than 300 take little memory.
	expect(begun).toBeGreaterThan(100);
	expect(begun).toBeLessThan(300);
	const last = begun - 1;
	expect([opened.printing(keyOf(last)), journal.timesPrinted(keyOf(last))]).toEqual([null, 0]);
	opened.slip({ id: 'given', key: 'given' as PaymentKey }, receiptRows(LONG_RECEIPT, false), SLIP_FACTS);
	expect(journal.hasSlip('given')).toBe(false);
	expect(failures()).toEqual([
		[last, 'too_many_prints'],
		['given', 'too_many_prints'],
	]);

	answers = true;
	await vi.advanceTimersByTimeAsync(LIMIT_MS);
	expect(queue.print).toHaveBeenCalledTimes(last);
	expect(print(last).copy).toBe(false);
	opened.slip({ id: 'given', key: 'given' as PaymentKey }, receiptRows(LONG_RECEIPT, false), SLIP_FACTS);
	await vi.advanceTimersByTimeAsync(5_000);
	expect([opened.isPrinting(), queue.print.mock.calls.length, journal.hasSlip('given'), opened.trouble()]).toEqual([
		false,
		last + 2,
		true,
		null,
	]);
});

test('the limit of waiting bytes includes logos and has room for several receipts with the largest logo', () => {
	const opened = open(queueWith({ openJobs: async () => NO_ANSWER }));
	const logo = `data:image/png;base64,${'A'.repeat(999_000)}`;
	for (let id = 0; id < 20; id += 1) opened.print({ id, key: keyOf(id) }, { ...BARE_RECEIPT, logo }, PAID);
	const begun = 20 - failures().length;
	expect(begun).toBeGreaterThan(6);
	expect(begun).toBeLessThan(10);
});

test('the kiosk sends one printout at a time to the print server, and no printout above the size limit', async () => {
	const queue = queueWith({ job: async () => job('processing', true) });
	const opened = open(queue);
	for (const id of [1, 2, 3]) opened.print({ id, key: keyOf(id) }, LONG_RECEIPT, PAID);
	await vi.advanceTimersByTimeAsync(30_000);
	expect(queue.print).toHaveBeenCalledOnce();
	await opened.stop();

	const server = queueWith({ job: async () => job('completed', true) });
	let bytes = 256 * 1024 + 1;
	const next = open(server, async () => ({ format: 'application/octet-stream', data: Buffer.alloc(bytes) }));
	expect(await printed(next)).toBe('failed not_drawn');
	expect([server.print.mock.calls.length, journal.timesPrinted(OF_7.key)]).toEqual([0, 0]);
	bytes -= 1;
	expect(await printed(next)).toBe('done');
});

test.each(['escpos', 'pdf'] as const)('the largest receipt takes less than half of the size limit for printouts as %s', async (format) => {
	const face = await receiptFace({ format, columns: 96 });
	const logo = { width: 384, height: 160, bits: Buffer.alloc((384 / 8) * 160, 0x5a).toString('base64') };
	const code = codeRows({ code: 'ABCD', text: `KIOSK1/${'A'.repeat(400)}` });
	const { data } = await face([...receiptRows(LONG_RECEIPT, true), ...code], logo);
	expect(data.length).toBeLessThan(128 * 1024);
});

test('a receipt that cannot be recorded is not printed', async () => {
	const queue = queueWith({});
	const opened = open(queue);
	journal.close();
	expect(await printed(opened)).toBe('failed journal_unhealthy');
	expect(queue.print).not.toHaveBeenCalled();
	expect(opened.trouble()).toBe('journal_unhealthy');
});

test('missing paper stays reported if the next print cannot be recorded', async () => {
	const opened = open(
		queueWith({ printer: async () => ok({ state: 'processing', reasons: ['media-empty'] }), job: async () => job('processing', true) }),
	);
	expect(await printed(opened)).toBe('failed paper_out');
	journal.close();
	opened.note('sample', []);
	await vi.advanceTimersByTimeAsync(1_000);
	expect(told.at(-1)).toMatchObject({ state: 'failed', reason: 'journal_unhealthy' });
	expect(opened.paperTrouble()).toBe('paper_out');
	expect(opened.noting('sample')).toBeNull();
});

test('when the kiosk stops, the current job is cancelled and the next print of the same receipt is a copy', async () => {
	const queue = queueWith({});
	const opened = open(queue);
	opened.print(OF_7, BARE_RECEIPT, PAID);
	opened.print({ id: 8, key: keyOf(8) }, BARE_RECEIPT, PAID);
	await vi.advanceTimersByTimeAsync(5_000);
	await opened.stop();
	expect(queue.cancel.mock.calls).toEqual([[1]]);
	expect(queue.print).toHaveBeenCalledOnce();
	expect([journal.timesPrinted(keyOf(7)), journal.timesPrinted(keyOf(8))]).toEqual([1, 0]);
	expect(journal.openPrints()).toEqual([]);
});

test('a second request for a pending receipt returns the same print and adds no record', async () => {
	const queue = queueWith({ job: async () => job('completed', true) });
	const opened = open(queue);
	const first = opened.print(OF_7, BARE_RECEIPT, PAID);
	expect(opened.printing(OF_7.key)).toEqual(first);
	expect(opened.print(OF_7, BARE_RECEIPT, PAID)).toEqual(first);
	await vi.advanceTimersByTimeAsync(1_000);
	expect(opened.printing(OF_7.key)).toBeNull();
	expect(queue.print).toHaveBeenCalledOnce();
	expect(journal.timesPrinted(OF_7.key)).toBe(1);
});

test('a printer that is connecting is reported as offline only after some seconds', async () => {
	const queue = queueWith({ printer: async () => ok({ state: 'processing', reasons: ['connecting-to-device'] }) });
	const opened = open(queue);
	opened.print(OF_7, BARE_RECEIPT, PAID);
	await vi.advanceTimersByTimeAsync(1_000);
	expect(told).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(2_000);
	expect(told.at(-1)).toMatchObject({ state: 'printing', reason: 'offline' });
});

test('checks of the idle queue report when a print server fails and when it recovers', async () => {
	const queue = queueWith({});
	const opened = open(queue);
	await vi.advanceTimersByTimeAsync(0);
	expect(opened.trouble()).toBeNull();
	queue.openJobs.mockResolvedValueOnce(NO_ANSWER);
	await vi.advanceTimersByTimeAsync(30_000);
	expect(opened.trouble()).toBe('queue_unreachable');
	await vi.advanceTimersByTimeAsync(2_000);
	expect(opened.trouble()).toBeNull();
});

test('while the clock is in doubt, every receipt and slip ends with a warning that its date may be wrong', async () => {
	const face = vi.fn(DRAWN);
	const opened = open(queueWith({ job: async () => job('completed', true) }), face);
	const lastRows = () => face.mock.calls.map(([rows]) => rows.at(-1));
	inDoubt = true;
	await printed(opened);
	opened.slip(OF_7, [{ kind: 'title', text: 'BELUM LUNAS' }], SLIP_FACTS);
	await vi.advanceTimersByTimeAsync(1_000);
	expect(lastRows()).toEqual([CLOCK_IN_DOUBT, CLOCK_IN_DOUBT]);
	inDoubt = false;
	await printed(opened);
	expect(lastRows()).toEqual([CLOCK_IN_DOUBT, CLOCK_IN_DOUBT, expect.objectContaining({ left: 'Total' })]);
});

test('each printout ends with the code of its own record, and the code of a second receipt is signed as a copy', async () => {
	const opened = open(queueWith({ job: async () => job('completed', true) }));
	const kinds: string[] = [];
	coded = (print_id, { kind }) => {
		kinds.push(kind);
		return { code: 'CODE', text: `KIOSK1 ${journal.printOf(print_id)?.record}` };
	};
	await printed(opened);
	await printed(opened);
	opened.slip(OF_7, [{ kind: 'title', text: 'BELUM LUNAS' }], SLIP_FACTS);
	await vi.advanceTimersByTimeAsync(1_000);
	expect(kinds).toEqual(['receipt', 'copy', 'partial']);
	expect(drawn.map((rows) => rows.slice(-2))).toEqual(
		[1, 3, 5].map((record) => [
			{ kind: 'pair', left: 'Kode', right: 'CODE', bold: false },
			{ kind: 'qr', text: `KIOSK1 ${record}` },
		]),
	);
});

test('before its first check of the queue, the kiosk reports nothing about the printer; then it reports a fault, or that there is none', async () => {
	const opened = open(queueWith({ printer: async () => fail({ code: 'unreachable', message: 'refused' }) }));
	expect([opened.paperTrouble(), troubles]).toEqual([undefined, []]);
	await vi.advanceTimersByTimeAsync(0);
	expect([opened.paperTrouble(), troubles]).toEqual(['queue_unreachable', ['queue_unreachable']]);
	const well = open(queueWith({}));
	expect(well.paperTrouble()).toBeUndefined();
	await vi.advanceTimersByTimeAsync(0);
	expect([well.paperTrouble(), troubles]).toEqual([null, ['queue_unreachable', null]]);
});

test('the kiosk reports when paper runs out, is refilled and runs out again; the failure of a single receipt is not reported as missing paper', async () => {
	let reasons = ['media-empty'];
	let state: Job['state'] = 'processing';
	const queue = queueWith({
		printer: async () => ok({ state: 'processing', reasons: reasons.map((reason) => reason.replace('-error', '')) }),
		job: async () => job(state, true),
	});
	const opened = open(queue);
	const print = async (id: number) => {
		state = 'processing';
		opened.print({ id, key: keyOf(id) }, BARE_RECEIPT, PAID);
		await vi.advanceTimersByTimeAsync(5_000);
	};
	await print(1);
	expect([opened.paperTrouble(), troubles]).toEqual(['paper_out', [null, 'paper_out']]);
	// The next receipt waits, too, because the same paper is missing.
	opened.print({ id: 4, key: keyOf(4) }, BARE_RECEIPT, PAID);
	expect(told.at(-1)).toMatchObject({ state: 'printing', reason: 'paper_out' });
	reasons = [];
	state = 'completed';
	await vi.advanceTimersByTimeAsync(1_000);
	expect([opened.paperTrouble(), troubles]).toEqual([null, [null, 'paper_out', null]]);
	reasons = ['media-empty'];
	await print(2);
	await vi.advanceTimersByTimeAsync(LIMIT_MS);
	expect([opened.paperTrouble(), troubles]).toEqual(['paper_out', [null, 'paper_out', null, 'paper_out']]);
	reasons = [];
	await print(3);
	state = 'canceled';
	await vi.advanceTimersByTimeAsync(1_000);
	expect([opened.trouble(), opened.paperTrouble()]).toEqual(['canceled', null]);
});
