import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { printerSection } from '../../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';

const pdfText = (sheet: Buffer): string => execFileSync('pdftotext', ['-layout', '-', '-'], { input: sheet }).toString();

for (const [format, textOf, tags] of [
	['escpos', escposText, []],
	['pdf', pdfText, ['deep']],
] as const)
	test(`${format}: a receipt ends with a remark about the clock only if the clock was wrong during the print`, {
		tags: [...tags],
	}, async () => {
		const printer = await printerForTest(10);
		const kiosk = await kioskForTest({
			settings: `${printerSection(printer.uri)}format = "${format}"\n`,
			movableClock: true,
		});
		/**
		 * Calls the back office, whose answer contains the right time, and then prints a receipt.
		 * @returns the receipt's text
		 */
		async function paper(): Promise<string> {
			const { id } = await kiosk.lookUp(BUDI);
			const before = printer.queue.receipts.length;
			expect(await kiosk.post('/kiosk/print', { id })).toMatchObject({ status: 202 });
			await until(() => expect(kiosk.daemon.events('print.done')).toHaveLength(before + 1));
			return textOf(printer.queue.receipts.at(-1)?.data ?? Buffer.alloc(0)).replace(/\s+/g, ' ');
		}
		const doubt = 'Jam kiosk belum dipastikan saat struk ini dicetak. Tanggal dan jam di atas mungkin keliru.';
		const change = 'Salinan: Lebih Bayar hanya ditukar satu kali.';
		const invoice = kiosk.backOffice.books.find(BUDI);
		Object.assign(invoice ?? {}, { is_paid: true, list_pembayaran: [{ nominal: 150_000, tanggal: '2026-11-21T14:32:00+07:00' }] });

		expect(await paper()).not.toContain('Jam kiosk');
		kiosk.shiftWall(Date.UTC(2000, 0, 1) - Date.now());
		expect(await paper()).toContain(`${change} ${doubt}`);
		kiosk.shiftWall(3_600_000);
		expect(await paper()).toContain(`${change} ${doubt}`);
		kiosk.shiftWall(0);
		expect(await paper()).not.toContain('Jam kiosk');
	});
