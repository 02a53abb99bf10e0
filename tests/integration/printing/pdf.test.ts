import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, expect, test } from 'vitest';
import { receiptPdf } from '../../../daemon/src/printer/pdf.ts';
import { RECEIPT } from '../../../daemon/src/printer/receipt.fixture.ts';
import { codeRows, receiptRows } from '../../../daemon/src/printer/receipt-rows.ts';
import { startPrinter } from '../../simulators/printer/start.ts';
import { pbmPicture, readQr } from '../../support/read-qr.ts';
import { until } from '../../support/until.ts';
import { startCups } from './cups.ts';
import { openShop } from './shop.ts';

const KIOSKCTL = join(import.meta.dirname, '..', '..', '..', 'daemon', 'kioskctl');
const LIMIT_MS = 30_000;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

const textOf = (sheet: Buffer | undefined): string => execFileSync('pdftotext', ['-layout', '-', '-'], { input: sheet }).toString();

/** @returns the text of the QR code, which is the last picture of the sheet */
function qrOf(sheet: Buffer | undefined): string {
	const folder = mkdtempSync(join(tmpdir(), 'pdf-'));
	try {
		execFileSync('pdfimages', ['-', join(folder, 'qr')], { input: sheet });
		const last = readdirSync(folder).sort().at(-1) ?? '';
		return readQr(pbmPicture(readFileSync(join(folder, last)))).text;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

test('CUPS passes a PDF to the printer unchanged and only once, and the next print is a copy', async () => {
	const cups = await startCups();
	ends.push(() => cups.remove());
	const shop = await openShop(cups.uri, LIMIT_MS, 'pdf');
	ends.push(() => shop.stop());
	expect([await shop.printed(42), await shop.printed(42)]).toEqual(['done', 'done']);
	const [original, copy, ...others] = cups.paper.sheets();
	expect(others).toEqual([]);
	const proof = { code: /^Kode +(\S+)$/m.exec(textOf(original))?.[1] ?? '', text: qrOf(original) };
	expect(proof.text).toMatch(/^KIOSK1\/R\/.*\/137500\/0\/INV%2F2026%2F11%2F0042\//);
	expect(
		original?.equals((await receiptPdf([...receiptRows({ ...RECEIPT, received: rupiah(137_500) }, false), ...codeRows(proof)], null)).data),
	).toBe(true);
	expect(textOf(original)).toMatch(/^Total diterima +Rp 137\.500$/m);
	expect(textOf(original)).not.toContain('SALINAN');
	expect(textOf(copy)).toMatch(/^ *SALINAN$/m);
});

test('kioskctl prints its sample in the configured format', async () => {
	const printer = await startPrinter({ port: 0, printMs: 10 });
	ends.push(() => printer.stop());
	const shop = await openShop(printer.uri, LIMIT_MS, 'pdf');
	ends.push(() => shop.stop());
	await promisify(execFile)(KIOSKCTL, ['printer', 'test', '--config', join(shop.kiosk.directory, 'kiosk.toml')]);
	await until(() => expect(printer.queue.receipts).toMatchObject([{ format: 'application/pdf' }]));
	expect(textOf(printer.queue.receipts[0]?.data)).toContain('bukan bukti bayar');
});
