import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import type { EcrSettings } from '../../../daemon/src/edc/bca/bca-state.ts';
import { until } from '../../support/until.ts';
import { type Line, newLine, type Transport } from '../acceptor-line/line.ts';
import { ACK, NAK, requestText } from './frames.ts';
import { type KioskEnd, startKioskEnd } from './kiosk-end.ts';

const REQUEST_BYTES = 155;
const NAMES: Readonly<Record<number, string>> = { [ACK]: 'ACK', [NAK]: 'NAK' };
/** The customer's card. Its number and holder's name must not appear in any log line. */
export const CARD = '5409121234565684';
export const NAME = 'SITI AMINAH';

/**
 * A terminal that sends exactly the bytes that the test gives, connected to the kiosk's real
 * driver.
 */
export class Conversation {
	readonly kiosk: KioskEnd;
	readonly line: Line;
	readonly transport: Transport;
	/** Every byte that the kiosk has sent. */
	heard: number[] = [];

	constructor(line: Line, transport: Transport, settings: Partial<EcrSettings>) {
		this.line = line;
		this.transport = transport;
		line.heard = (bytes) => void this.heard.push(...bytes);
		this.kiosk = startKioskEnd(line.port, settings, { type: 'sale', amount: rupiah(137_500) });
	}

	/** Sends bytes in one write. */
	say(...bytes: number[]): void {
		this.line.write(bytes);
	}

	/** Sends bytes in pieces of `size` with this pause between them. */
	async sayInPieces(bytes: readonly number[], size: number, gapMs: number): Promise<void> {
		for (let at = 0; at < bytes.length; at += size) {
			this.line.write(bytes.slice(at, at + size));
			await this.pause(gapMs);
		}
	}

	pause(ms: number): Promise<void> {
		return new Promise((resolve) => void setTimeout(resolve, ms));
	}

	/** The kiosk's bytes as messages: requests by type, control bytes by name, other bytes in hex. */
	get said(): string[] {
		const messages: string[] = [];
		for (let at = 0; at < this.heard.length; ) {
			const byte = this.heard[at] ?? 0;
			const isRequest = byte === 0x02 && this.heard.length - at >= REQUEST_BYTES;
			messages.push(
				isRequest ? requestText(Uint8Array.from(this.heard.slice(at, at + REQUEST_BYTES)), 4, 2) : (NAMES[byte] ?? byte.toString(16)),
			);
			at += isRequest ? REQUEST_BYTES : 1;
		}
		return messages;
	}

	/** Waits until the kiosk has sent exactly these messages. */
	hears(...messages: string[]): Promise<void> {
		return until(() => expect(this.said).toEqual(messages));
	}

	/**
	 * Waits until the driver has made exactly these reports. Reports about changes of state do not
	 * count.
	 */
	tells(...reports: string[]): Promise<void> {
		return until(() => expect(this.reports).toEqual(reports));
	}

	get reports(): string[] {
		return this.kiosk.told.filter((report) => report.includes(' '));
	}

	/** Waits until the driver reports the terminal as ready. */
	ready(): Promise<void> {
		return until(() => expect(this.kiosk.told.at(-1)).toBe('ready'));
	}

	/** Starts a sale that the terminal acknowledges. */
	async acked(request_id: string): Promise<void> {
		this.kiosk.ask(request_id);
		await until(() => expect(this.said.at(-1)).toBe('01'));
		this.say(ACK);
		await until(() => expect(this.reports.at(-1)).toBe(`acked ${request_id}`));
	}

	async stop(): Promise<void> {
		this.kiosk.terminal.stop();
		await this.line.stop();
	}
}

export interface ConversationOptions {
	on?: readonly Transport[];
	settings?: Partial<EcrSettings>;
	/** Leaves the terminal unconnected until the test plugs it in. */
	unplugged?: boolean;
}

type Script = (at: Conversation) => Promise<void>;

/**
 * Declares a test of one conversation, by default one test over TCP and one over a pty. Afterwards
 * no log line may contain card data.
 */
export function conversation(name: string, ...rest: [Script] | [ConversationOptions, Script]): void {
	const [options, script] = rest.length === 1 ? [{}, rest[0]] : rest;
	for (const transport of options.on ?? (['tcp', 'pty'] as const))
		test.concurrent(`${transport}: ${name}`, { tags: options.on === undefined && transport === 'tcp' ? 'deep' : [] }, async () => {
			const line = await newLine(transport);
			if (!options.unplugged) await line.plug();
			const at = new Conversation(line, transport, options.settings ?? {});
			try {
				if (!options.unplugged) await at.ready();
				await script(at);
				for (const secret of [CARD, CARD.slice(6, 12), NAME]) expect(at.kiosk.log.join('\n')).not.toContain(secret);
			} catch (error) {
				if (error instanceof Error)
					error.message += `\nsaid: ${at.said}\ntold: ${at.kiosk.told}\nlog:\n${at.kiosk.log.slice(-30).join('\n')}`;
				throw error;
			} finally {
				await at.stop();
			}
		});
}
