import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { startPrinter } from '../../simulators/printer/start.ts';
import { printerSection, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

/** Shifts the daemon's wall clock by the ms in a file. */
const PRELOAD = import.meta.resolve('../faults/shifted-clock.ts');
const BUDI = '081234567890';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

const pdfText = (sheet: Buffer): string => execFileSync('pdftotext', ['-layout', '-', '-'], { input: sheet }).toString();

test.each([
	['escpos', escposText],
	['pdf', pdfText],
] as const)('%s: the receipt ends with a warning while the clock is doubtful, and without it afterwards', async (format, textOf) => {
	const printer = await startPrinter({ port: 0, printMs: 10 });
	ends.push(() => printer.stop());
	const shift = (directory: string, ms: number) => writeFileSync(join(directory, 'clock'), String(ms));
	const kiosk = await startKiosk({
		settings: `${printerSection(printer.uri)}format = "${format}"\n`,
		environment(directory) {
			shift(directory, 0);
			return { NODE_OPTIONS: `--import=${PRELOAD}`, KIOSK_TEST_CLOCK: join(directory, 'clock') };
		},
	});
	ends.push(() => kiosk.stop());
	/** Calls the back office, whose answer has the right time, and prints. */
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
	shift(kiosk.directory, Date.UTC(2000, 0, 1) - Date.now());
	expect(await paper()).toContain(`${change} ${doubt}`);
	shift(kiosk.directory, 3_600_000);
	expect(await paper()).toContain(`${change} ${doubt}`);
	shift(kiosk.directory, 0);
	expect(await paper()).not.toContain('Jam kiosk');
});
