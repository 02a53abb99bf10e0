import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Invoice } from '../../simulators/back-office/invoice.ts';
import { startPrinter } from '../../simulators/printer/start.ts';
import { plugCable } from '../../support/cable.ts';
import { type Kiosk, NOTES, printerSection, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import type { Reading, Sample } from './reading.ts';

/** The simulated devices act without delay, so that a journey takes only the daemon's own time. */
const AT_ONCE = { startMs: 0, resetMs: 0, recogniseMs: 0, stackMs: 0, returnMs: 0 };
const HP = '081299990000';
const TOTAL = 70_000;
const NOTE = 'payment_edc_bca_notification';
/** Number of invoices that the server keeps; more would slow down the test's own process. */
const KEPT_INVOICES = 40;
/**
 * Number of card sales that fill the 64 kB ring buffers if each comes with `BURST_BYTES` acceptor
 * bytes.
 */
const RING_SALES = 100;
const BURST_BYTES = 400;
const INHIBITED = 0x5e;
/** Codes of the bank that decline a card. */
const DECLINES = Array.from({ length: 20 }, (_, number) => String(51 + number));
/** Number of journeys in a simulated day; at its end staff empty the cashbox. */
const A_DAY = 30;

/**
 * A real daemon, connected to simulators over a pty and sockets. Its resource usage can be read.
 */
export interface SoakedDaemon {
	/**
	 * Runs journeys until code is compiled and caches and ring buffers are full, so that memory stops
	 * growing.
	 */
	warmUp(): Promise<void>;
	/**
	 * Runs one journey; the kinds of journeys take turns. Throws if the journey does not end as
	 * expected.
	 */
	journey(): Promise<void>;
	sample(): Promise<Sample>;
	/** @returns the differences between the books of daemon and server */
	differences(): Promise<string[]>;
	stop(): Promise<void>;
}

/** @param leak name of a deliberate leak in probe.ts, to prove that leaks are detected */
export async function startSoakedDaemon(leak = ''): Promise<SoakedDaemon> {
	const folder = mkdtempSync(join(tmpdir(), 'kiosk-soak-'));
	const cable = await plugCable();
	const printer = await startPrinter({ port: 0, printMs: 0 });
	const probe = join(folder, 'probe.sock');
	const added = {
		NODE_OPTIONS: `--expose-gc --disable-warning=ExperimentalWarning --import=${join(import.meta.dirname, 'probe.ts')}`,
		PROBE_SOCKET: probe,
		PROBE_LEAK: leak,
	};
	const kiosk = await inEnvironment(added, () =>
		startKiosk({
			acceptor: { serialPath: cable.device, timing: AT_ONCE },
			acceptorSection: () => `[acceptor]\nport = "${cable.host}"\n${NOTES}`,
			edc: { timing: { ackMs: 0, customerMs: 0 } },
			// Allows hundreds of customers a minute.
			settings: `${printerSection(printer.uri)}per_minute = 600\n`,
			screen: 'lookups_per_minute = 6000',
		}),
	);
	const ask = await probeAt(probe);
	const soak = new Journeys(kiosk, await kiosk.screen());
	return {
		warmUp: () => soak.warmUp(),
		journey: () => soak.next(),
		sample: async () => ({ ...(await ask.reading()), journeys: soak.made }),
		differences: () => soak.differences(),
		async stop() {
			ask.end();
			await kiosk.stop();
			await printer.stop();
			await cable.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/**
 * Sets variables only while `act` starts the daemon, which inherits this process's environment; no
 * other process must get these variables.
 */
async function inEnvironment<T>(added: Record<string, string>, act: () => Promise<T>): Promise<T> {
	Object.assign(process.env, added);
	try {
		return await act();
	} finally {
		for (const name of Object.keys(added)) delete process.env[name];
	}
}

async function probeAt(path: string): Promise<{ reading(): Promise<Reading>; end(): void }> {
	const socket: Socket = connect(path);
	await once(socket, 'connect');
	const lines = createInterface(socket);
	return {
		async reading() {
			const answered = once(lines, 'line');
			socket.write('?');
			return JSON.parse(String((await answered)[0])) as Reading;
		},
		end: () => socket.destroy(),
	};
}

/**
 * Enough rounds for more than 50 journeys, because the daemon remembers the server's newest
 * statement about each of 50 payments.
 */
const WARM_ROUNDS = 10;
/**
 * Pause after a sale, because the daemon accepts only twenty messages a second from a page.
 */
const MESSAGE_MS = 60;
/** Shortest warm-up, ms: longer than the minute that the daemon's rate limits cover. */
const WARM_MS = 65_000;

type Made = (journeys: Journeys) => Promise<void>;

/** Journeys of customers, played in turn; each leaves nothing open. */
const IN_TURN: readonly Made[] = [
	(of) => of.cash([50_000, 20_000]),
	(of) => of.card('00'),
	(of) => of.cash([50_000, 10_000, 10_000]),
	(of) => of.leaveAndComeBack(),
	(of) => of.declinedCard(),
	(of) => of.paidByPhone(),
];

class Journeys {
	made = 0;
	credited = 0;
	#declined = 0;
	readonly #kiosk: Kiosk;
	#screen: Screen;

	constructor(kiosk: Kiosk, screen: Screen) {
		this.#kiosk = kiosk;
		this.#screen = screen;
	}

	async next(): Promise<void> {
		await IN_TURN[this.made % IN_TURN.length]?.(this);
		this.made += 1;
		if (this.made % IN_TURN.length === 0) await this.#looksIn();
		if (this.made % A_DAY === 0) await this.#endOfDay();
	}

	async warmUp(): Promise<void> {
		const begun = performance.now();
		for (let turn = 0; turn < WARM_ROUNDS * IN_TURN.length || performance.now() - begun < WARM_MS; turn += 1) await this.next();
		const { line } = this.#kiosk.acceptor;
		for (let sale = 0; sale < RING_SALES; sale += 1) {
			line.send(Array.from({ length: BURST_BYTES }, () => INHIBITED));
			await this.declinedCard();
			await delay(MESSAGE_MS);
		}
		await this.#endOfDay();
	}

	async cash(nominals: readonly number[]): Promise<void> {
		const invoice = this.#invoice();
		await this.#open();
		for (const nominal of nominals) await this.#feed(nominal);
		await this.#toldPaid(invoice);
		await this.#kiosk.post('/kiosk/cash/close', { id: invoice.id });
	}

	/** Pays a part and leaves, which prints a slip. Then returns and pays the remaining amount. */
	async leaveAndComeBack(): Promise<void> {
		const invoice = this.#invoice();
		await this.#open();
		await this.#feed(20_000);
		await this.#kiosk.post('/kiosk/cash/close', { id: invoice.id });
		await this.#open();
		await this.#feed(50_000);
		await this.#toldPaid(invoice);
		await this.#kiosk.post('/kiosk/cash/close', { id: invoice.id });
	}

	async card(respCode: string): Promise<void> {
		const { edc } = this.#kiosk;
		const invoice = this.#invoice();
		const detail = await this.#kiosk.lookUp(HP);
		const { id, odoo_id, noinvoice, total } = detail;
		await until(() => this.#expect('a ready terminal', this.#screen.of('kiosk_edc').at(-1)?.state === 'ready'));
		this.#screen.send({ message: { type: NOTE, event: 'start_transaction', data: { amount: total, id, odoo_id, noinvoice } } });
		await until(() => this.#expect('a terminal that waits for a card', edc.terminal.tap({ respCode })));
		const answer = await until(() => {
			const said = this.#screen.of(NOTE).at(-1) as { data: { respCode: string; id: unknown } } | undefined;
			this.#expect(`the answer ${respCode}`, said?.data.respCode === respCode && said.data.id === id);
			return said;
		});
		if (respCode === '00') {
			const data = { no_invoice: noinvoice, access_token: this.#kiosk.token(), json_success_payment: answer?.data };
			this.#screen.send({ message: { type: NOTE, event: 'transaction_approve', data } });
			await until(() => this.#expect('an approval at the server', invoice.is_paid));
			await this.#receipt(invoice);
		}
		// The screen makes this call when it returns home.
		await this.#kiosk.post('/kiosk/cash/close', { id });
	}

	/**
	 * Uses another code each time: the daemon would take a decline that equals one of the last 16
	 * for a repeated answer and wait.
	 */
	async declinedCard(): Promise<void> {
		await this.card(DECLINES[this.#declined % DECLINES.length] ?? '');
		this.#declined += 1;
	}

	async paidByPhone(): Promise<void> {
		const invoice = this.#invoice();
		await this.#kiosk.lookUp(HP);
		this.#kiosk.backOffice.books.pay(invoice, 'qris');
		await this.#toldPaid(invoice);
		await this.#kiosk.post('/kiosk/cash/close', { id: invoice.id });
	}

	async differences(): Promise<string[]> {
		const { books } = this.#kiosk.backOffice;
		await until(async () => this.#expect('an empty outbox', (await this.#kiosk.health()).outbox.count === 0));
		const health = await this.#kiosk.health();
		const stacked = this.#kiosk.acceptor.device.stacked.length;
		return [
			...(books.notes.length === this.credited ? [] : [`the server has ${books.notes.length} notes of ${this.credited}`]),
			...(stacked === this.credited ? [] : [`${stacked} notes are in the cashbox, ${this.credited} on the screen`]),
			...(health.in_doubt.length === 0 ? [] : [`${health.in_doubt.length} notes are in doubt`]),
			...(health.card.unknown.length + health.card.twice.length === 0 ? [] : ['a card sale is unknown or charged twice']),
		];
	}

	#invoice(): Invoice {
		const { books } = this.#kiosk.backOffice;
		const invoice = books.addInvoice(HP, TOTAL, new Date());
		books.invoices.splice(0, Math.max(0, books.invoices.length - KEPT_INVOICES));
		return invoice;
	}

	async #open(): Promise<void> {
		const invoice = await this.#kiosk.lookUp(HP);
		await until(async () => {
			const { body } = await this.#kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: HP });
			this.#expect(`a machine that takes notes, not ${body.message}`, body.machine_ready === true);
		});
	}

	/**
	 * Inserts a note. If the acceptor returns the note, as happens between two cash sessions, inserts
	 * it again.
	 */
	async #feed(nominal: number): Promise<void> {
		const { device } = this.#kiosk.acceptor;
		const heard = this.#screen.of('payment_cash_notification').length;
		const stacked = device.stacked.length;
		await until(() => {
			if (device.note === null && device.stacked.length === stacked) device.insert({ nominal });
			this.#expect('a note on the screen', this.#screen.of('payment_cash_notification').length > heard);
		});
		this.credited += 1;
	}

	#toldPaid = (invoice: Invoice) =>
		until(() =>
			this.#expect(
				'paid on the screen',
				this.#screen.of('payment_notification').some((text) => String(text.id) === String(invoice.id)),
			),
		);

	async #receipt({ id }: Invoice): Promise<void> {
		const heard = this.#screen.of('kiosk_print').length;
		await this.#kiosk.post('/kiosk/print', { id });
		await until(() =>
			this.#expect(
				'a receipt',
				this.#screen
					.of('kiosk_print')
					.slice(heard)
					.some((text) => text.state === 'done'),
			),
		);
	}

	/** Polls as a monitor does, and reconnects as a reloaded browser does. */
	async #looksIn(): Promise<void> {
		await this.#kiosk.health();
		await (await fetch(`${this.#kiosk.daemon.service}/metrics`)).text();
		this.#screen.close();
		this.#screen = await this.#kiosk.screen();
	}

	async #endOfDay(): Promise<void> {
		const { code, out } = await this.#kiosk.ctl('cash', 'report');
		this.#expect(`a cash report, not ${out}`, code === 0);
		const collected = await this.#kiosk.ctl('cash', 'collected', '--by', 'Sari', '--yes');
		this.#expect(`an emptied cashbox, not ${collected.out}`, collected.code === 0);
	}

	#expect(what: string, holds: boolean | undefined): void {
		if (!holds) throw new Error(`journey ${this.made}: expected ${what}`);
	}
}
