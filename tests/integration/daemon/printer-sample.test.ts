// @module-tag deep
/** Staff print a sample from the staff screen, e.g. after they have put in new paper. */
import { expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { printerSection } from '../../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const SAMPLE = { id: 'sample', of: 'sample' };

test('a sample is printed only in a staff session, and a printed sample clears a reported paper fault', async () => {
	const printer = await printerForTest();
	const kiosk = await kioskForTest({ settings: `${printerSection(printer.uri)}limit_ms = 6000\n` });
	const screen = await kiosk.screen();
	const troubles = () => screen.of('kiosk_printer').map(({ trouble }) => trouble);
	expect((await kiosk.post('/kiosk/print', SAMPLE)).status).toBe(403);
	await kiosk.staff();
	printer.queue.set({ paperOut: true });
	// Further taps while the sample prints get the same answer as the first tap. They cost no paper
	// and do not count towards the limit of prints.
	const first = await kiosk.post('/kiosk/print', SAMPLE);
	expect(first.status).toBe(202);
	for (let tap = 0; tap < 8; tap += 1) expect(await kiosk.post('/kiosk/print', { ...SAMPLE, id: tap })).toEqual(first);
	await until(() => expect(screen.of('kiosk_print').at(-1)).toMatchObject({ state: 'failed', reason: 'paper_out' }));
	printer.queue.set({ paperOut: false });
	expect(troubles().at(-1)).toBe('paper_out');
	expect((await kiosk.post('/kiosk/print', SAMPLE)).status).toBe(202);
	await until(() => expect(screen.of('kiosk_print').at(-1)).toMatchObject({ state: 'done' }));
	await until(() => expect(troubles().at(-1)).toBeNull());
	expect(printer.queue.receipts.map(({ data }) => escposText(data))).toEqual([expect.stringContaining('bukan bukti bayar')]);
});
