import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { isFields } from '../../simulators/http.ts';
import type { Bill } from './bills.ts';
import type { Habits } from './habits.ts';

/** Longer than any regular message, characters. */
const HUGE = 200_000;

/**
 * The live socket of the second server: no subprotocol in its answer, texts as JSON inside a
 * string, and other deviations.
 */
export class OtherSocket {
	/** The kiosk's messages, without pings. */
	readonly heard: Record<string, unknown>[] = [];
	/** Messages of the kiosk that are no JSON object with a `message`. */
	readonly odd: string[] = [];
	pings = 0;
	/** Refuses new connections; calls still work. */
	refuses = false;
	readonly #clients = new Set<WebSocket>();
	readonly #habits: Habits;

	constructor(http: Server, tokens: ReadonlySet<string>, habits: Habits) {
		this.#habits = habits;
		const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => false });
		http.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
			const url = new URL(request.url ?? '/', 'http://localhost');
			if (this.refuses || url.pathname !== '/siaran' || !tokens.has(url.searchParams.get('kunci') ?? '')) {
				stream.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
				return;
			}
			sockets.handleUpgrade(request, stream, head, (client) => this.#welcome(client));
		});
	}

	get open(): number {
		return this.#clients.size;
	}

	#welcome(client: WebSocket): void {
		this.#clients.add(client);
		client.on('close', () => this.#clients.delete(client));
		client.on('error', () => client.terminate());
		client.on('message', (data) => this.#hear(String(data)));
		client.send(JSON.stringify({ text: { type: 'selamat_datang', data: [null, 1], id: null } }));
	}

	#hear(text: string): void {
		let value: unknown;
		try {
			value = JSON.parse(text);
		} catch {
			value = null;
		}
		if (!isFields(value) || value.message === undefined) this.odd.push(text);
		else if (value.message === 'ping') this.pings += 1;
		else this.heard.push(value);
	}

	/** Sends characters to every kiosk unchanged. */
	raw(text: string): void {
		for (const client of this.#clients) client.send(text);
	}

	/** Sends a message in one of the two shapes. */
	send(text: unknown): void {
		this.raw(JSON.stringify({ ...this.#habits.extra(), text: this.#habits.pick([text, JSON.stringify(text)]) }));
	}

	tellPaid(bill: Bill): void {
		this.send({ ...this.#habits.extra(), type: 'payment_notification', id: bill.id, is_paid: this.#habits.flag(true), odoo_id: null });
	}

	/** Invalid messages of every kind about this bill, none of which settles it. */
	noise(bill: Bill): void {
		const about = { type: 'payment_notification', id: bill.id };
		this.raw('bukan JSON {');
		this.raw('');
		this.raw('null');
		this.raw('[1,2]');
		this.raw(JSON.stringify({ text: null }));
		this.raw(JSON.stringify({ text: 'bukan JSON juga' }));
		this.raw(JSON.stringify({ message: 'pong' }));
		this.raw(JSON.stringify({ text: { ...about, is_paid: true, bantal: 'x'.repeat(HUGE), id: randomUUID() } }));
		this.raw('x'.repeat(HUGE));
		for (const text of [
			{ type: 'payment_notification', is_paid: true },
			{ type: 'payment_notification', id: { nomor: bill.id }, is_paid: true },
			{ type: 'payment_notification', id: randomUUID(), is_paid: true },
			{ type: 'payment_notification', id: null, is_paid: true },
			{ ...about, is_paid: false },
			{ ...about, is_paid: 0 },
			{ type: 'payment_cash_notification', id: bill.id, nominal: 100_000, is_paid: false, time: null },
			{ type: 'machine_ready', is_ready: true, ict_text: 'Mesin orang lain' },
			{ type: 'payment_edc_bca_notification', event: 'transaction_response', data: { respCode: '00' } },
			{ type: 42, id: bill.id, is_paid: true },
			{ id: bill.id, is_paid: true },
			{ type: 'promo_baru', judul: null },
		])
			this.send(text);
	}

	/** Drops every connection without a close frame. */
	cut(): void {
		for (const client of this.#clients) client.terminate();
	}
}
