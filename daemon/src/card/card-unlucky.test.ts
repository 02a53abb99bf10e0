/** Staff decisions, inquiries, stray answers and failing disks that meet at an unlucky moment. */

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Bench, benchForTest } from './card-machine.fixture.ts';

let bench: Bench;
beforeEach(() => {
	bench = benchForTest();
});

const QR = { type: 'qris', rrn: '600000000001' } as const;
const PAID_QR = { type: 'qris_inquiry', rrn: QR.rrn } as const;
/** The terminal's clock at the first byte of the sale. */
const CLOCK = Date.parse('2026-11-21T14:31:08.000Z');

const sale = () => bench.sale() ?? expect.fail('there is no sale');
const settle = (outcome: 'charged' | 'not_charged', one = sale()) =>
	bench.desk.carryOut({ action: 'settle', sale: one, outcome, by: 'Sari', why: 'the slip says so' });
const quiet = () => vi.advanceTimersByTimeAsync(61_000);

/** An unknown sale by a QR code, about which the kiosk has just inquired. */
async function askAboutQr(): Promise<void> {
	bench.qris = true;
	bench.restart();
	bench.start({ method: 'qris' }).ack().answer(QR).restart();
	await quiet();
	expect(bench.requests.at(-1)?.request).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
}

/** An unknown card sale whose last slip the kiosk has just requested. */
async function askForSlip(): Promise<void> {
	bench.close();
	bench = new Bench({ inquiry: 'reprint' });
	bench.start().report({ kind: 'begun', request_id: bench.id, clock: CLOCK });
	bench.silent();
	await quiet();
	expect(bench.requests.at(-1)?.request).toMatchObject({ type: 'reprint' });
}

describe('staff settle a sale while an inquiry about it is on its way', () => {
	test.each([
		['not_charged', '00', 'unknown'],
		['not_charged', 'S3', 'not_charged'],
		['not_charged', 'S4', 'not_charged'],
		['charged', '00', 'approved'],
		['charged', 'S3', 'approved'],
		['charged', 'S4', 'unknown'],
	] as const)('as %s; the answer about the QR code is %s: the sale is %s', async (outcome, code, state) => {
		await askAboutQr();
		await settle(outcome);
		bench.answer({ ...PAID_QR, code });
		expect(sale().state).toBe(state);
		expect([bench.state(), bench.acknowledged.length]).toEqual([state === 'unknown' ? 'unresolved' : 'ready', 2]);
	});

	test.each([
		['not_charged', 'of the sale', '143120', 'unknown'],
		['not_charged', 'of an earlier sale', '143100', 'not_charged'],
		['charged', 'of the sale', '143120', 'approved'],
	] as const)('as %s; the slip is %s', async (outcome, _slip, time, state) => {
		await askForSlip();
		await settle(outcome);
		bench.answer({ type: 'reprint', time });
		expect(sale().state).toBe(state);
	});
});
