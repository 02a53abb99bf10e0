import { readFileSync } from 'node:fs';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { amount, type Figure, megabytes, ratioFigure } from './figures.ts';

/** Enough notes to fill the caches and to compile the code. */
const FEW = amount(1_000, 100);
const MANY = amount(20_000, 400);
const NOTES_PER_PAYMENT = 10;
const NOMINAL = 1_000;
const LIMIT_BYTES = 95 * 1024 * 1024;

/**
 * Compares the daemon's memory after 20,000 notes with its memory after 1,000 notes. Every note
 * goes through line, journal, screen and outbox of the real process.
 */
export async function memory(): Promise<Figure[]> {
	const kiosk = await startKiosk({ screen: 'lookups_per_minute = 6000' });
	try {
		return await grow(kiosk);
	} finally {
		await kiosk.stop();
	}
}

async function grow(kiosk: Kiosk): Promise<Figure[]> {
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
	if (heard !== MANY || booked !== MANY) throw new Error(`${heard} notes on screen and ${booked} in the back office instead of ${MANY}`);
	return [
		ratioFigure({ name: `daemon memory after ${MANY} notes (after ${FEW})`, measured: many, floor: few, show: megabytes, goal: 1.03 }),
		{
			name: `daemon memory after ${MANY} notes`,
			measured: megabytes(many),
			floor: '',
			ratio: null,
			goal: `<= ${megabytes(LIMIT_BYTES)}`,
			met: many <= LIMIT_BYTES,
		},
	];
}

/** Plays a customer with a new phone number who pays half of an invoice and leaves. */
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
