import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { type Kiosk, NOTES, startKiosk } from '../harness/kiosk.ts';
import { amount, type Figure, megabytes } from './figures.ts';

const FEW = 100;
const MANY = amount(10_000, 1_000);
const NOTES_PER_PAYMENT = 10;
const LIMIT_BYTES = 120 * 1024 * 1024;

/**
 * Daemon memory after 10,000 notes beside after 100: every note through line, journal, screen and
 * outbox of the real process.
 */
export async function memory(): Promise<Figure[]> {
	const unit = await instantAcceptor();
	const kiosk = await startKiosk({ acceptorSection: () => `[acceptor]\nport = "tcp:127.0.0.1:${unit.port}"\n${NOTES}` });
	const screen = await kiosk.screen();
	const after = async (notes: number, from: number): Promise<number> => {
		for (let count = from; count < notes; count += NOTES_PER_PAYMENT) await payment(kiosk, unit, `bench-${count}`);
		while ((await kiosk.health()).outbox.count > 0) await new Promise((resolve) => setTimeout(resolve, 50));
		return residentBytes(kiosk.daemon.pid);
	};
	const few = await after(FEW, 0);
	const many = await after(MANY, FEW);
	const heard = screen.of('payment_cash_notification').length;
	const booked = kiosk.backOffice.books.notes.length;
	await kiosk.stop();
	unit.close();
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

interface Unit {
	port: number;
	/** Resolves when the note is stacked. */
	insert(): Promise<void>;
	close(): void;
}

/** An acceptor without mechanics, which answers at once, so that only the daemon is measured. */
async function instantAcceptor(): Promise<Unit> {
	let line: Socket | null = null;
	let status = 0x5e;
	let accepted = () => {};
	const server = createServer((socket) => {
		line = socket.setNoDelay();
		socket.on('error', () => undefined);
		socket.on('data', (bytes) => {
			for (const byte of bytes) {
				if (byte === 0x3e || byte === 0x5e) status = byte;
				if (byte === 0x0c) socket.write(Uint8Array.of(status));
				if (byte === 0x02) {
					socket.write(Uint8Array.of(0x10));
					accepted();
				}
			}
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : 0,
		insert: () =>
			new Promise((resolve) => {
				accepted = resolve;
				line?.write(Uint8Array.of(0x81, 0x40));
			}),
		close: () => {
			line?.destroy();
			server.close();
		},
	};
}

async function payment(kiosk: Kiosk, unit: Unit, id: string): Promise<void> {
	const invoice = { id, noinvoice: id, total: 1_000 * NOTES_PER_PAYMENT * 2 };
	let ready = false;
	while (!ready) ready = (await kiosk.call('/payment/api/v1/open-machine/', invoice)).body.machine_ready === true;
	for (let note = 0; note < NOTES_PER_PAYMENT; note += 1) await unit.insert();
	await kiosk.post('/kiosk/cash/close', { id });
}

function residentBytes(pid: number): number {
	const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Number(kilobytes) * 1024;
}
