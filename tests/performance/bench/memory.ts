import { readFileSync } from 'node:fs';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { amount, type Figure, megabytes } from './figures.ts';

const FEW = 100;
const MANY = amount(10_000, 400);
const NOTES_PER_PAYMENT = 10;
const NOMINAL = 1_000;
const LIMIT_BYTES = 120 * 1024 * 1024;

/**
 * Daemon memory after 10,000 notes compared with 100: every note through line, journal, screen and
 * outbox of the real process.
 */
export async function memory(): Promise<Figure[]> {
	const kiosk = await startKiosk({ screen: 'lookups_per_minute = 6000' });
	const screen = await kiosk.screen();
	const after = async (notes: number, from: number): Promise<number> => {
		for (let count = from; count < notes; count += NOTES_PER_PAYMENT) await payment(kiosk, count);
		await until(async () => {
			const { count } = (await kiosk.health()).outbox;
			if (count > 0) throw new Error(`${count} notes still wait for the back office`);
		});
		return residentBytes(kiosk.daemon.pid);
	};
	const few = await after(FEW, 0);
	const many = await after(MANY, FEW);
	const heard = screen.of('payment_cash_notification').length;
	const booked = kiosk.backOffice.books.notes.length;
	await kiosk.stop();
	if (heard !== MANY || booked !== MANY) throw new Error(`${heard} notes on screen and ${booked} in the back office instead of ${MANY}`);
	return [
		{
			name: `daemon memory after ${MANY} notes (after ${FEW})`,
			measured: megabytes(many),
			floor: megabytes(few),
			ratio: many / few,
			goal: '<= 1.05x',
			met: many / few <= 1.05,
		},
		{
			name: `daemon memory after ${MANY} notes`,
			measured: megabytes(many),
			floor: '',
			ratio: null,
			goal: '<= 120 MB',
			met: many <= LIMIT_BYTES,
		},
	];
}

/** A customer with a new phone number pays half of an invoice and leaves. */
async function payment(kiosk: Kiosk, count: number): Promise<void> {
	const hp = `0899${String(count).padStart(8, '0')}`;
	kiosk.backOffice.books.addInvoice(hp, 2 * NOMINAL * NOTES_PER_PAYMENT, new Date());
	const invoice = await kiosk.openCash(hp);
	for (let note = 0; note < NOTES_PER_PAYMENT; note += 1) await feedNote(kiosk, NOMINAL);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
}

function residentBytes(pid: number): number {
	const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Number(kilobytes) * 1024;
}
