import { accessSync, constants, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LeftOpen } from '../journal/left-open.ts';
import { type Chain, type PaymentFile, paymentFile, paymentsOf, verifyChain } from '../journal/payment-file.ts';
import { readSeal, type Seal } from '../journal/seal.ts';
import { JOURNAL_FILE, readStore } from '../journal/store.ts';
import { messageOf } from '../result.ts';
import type { CommandTools } from './command-tools.ts';

type Reader = Extract<ReturnType<typeof readStore>, { ok: true }>['value'];

/** What the command line was given, and what its commands need. */
export interface JournalCommandParts {
	/** Where the journal and its key are. */
	place: () => { directory: string; keyFile: string };
	payment: string;
	invoice: string;
	out: string;
	tools: CommandTools;
}

/** @returns the commands under `kioskctl journal`, by name. Who may read the journal's file needs no daemon for them. */
export function journalCommands(parts: JournalCommandParts): Record<string, () => Promise<void>> {
	const { payment, invoice, out } = parts;
	const { say, refuse, call, decided, confirmed } = parts.tools;

	/** Reads the file where that is allowed, else asks the daemon; ends with a sentence when neither can. */
	async function reading<T>(act: (store: Reader, seal: Seal | null) => T | Promise<T>, path: string): Promise<T> {
		const { directory, keyFile } = parts.place();
		if (!readable(join(directory, JOURNAL_FILE))) return call<T>('GET', path);
		const cannot = (message: string): never => refuse(`The journal in ${directory} cannot be read: ${message}`);
		const found = readSeal(keyFile);
		const seal = found.state === 'found' ? found.seal : null;
		const opened = readStore(directory, seal);
		if (!opened.ok) return cannot(opened.error.message);
		try {
			return await act(opened.value, seal);
		} catch (error) {
			return cannot(messageOf(error));
		} finally {
			opened.value.close();
		}
	}

	return {
		'journal verify': async () => {
			const { records, bad, fault, sealed_from } = await reading<Chain>(verifyChain, '/journal/verify');
			if (bad !== null) refuse(`${records} records; ${fault}. ${BAD}`);
			say(`${records} records; every one follows from the one before it, from the first on.`);
			say(
				sealed_from === null
					? 'The key of the journal was not available, so its seals were not checked: a chain that was rewritten as a whole looks the same.'
					: `Each from record ${sealed_from} on bears the seal of this kiosk.`,
			);
		},
		'journal export': async () => {
			if ((payment === '') === (invoice === '')) refuse('Which payment? --payment ID or --invoice NUMBER');
			const file = await reading<PaymentFile>(
				(store) => {
					const payments = paymentsOf(store, payment ? { payment } : { invoice });
					return payments.length > 0 ? paymentFile(store, payments) : refuse(`The journal knows of no money for ${payment || invoice}.`);
				},
				payment ? `/journal/payment/${encodeURIComponent(payment)}` : `/journal/invoice/${encodeURIComponent(invoice)}`,
			);
			const text = JSON.stringify(file, null, '\t');
			if (out === '') return say(text);
			try {
				// Whose money was taken when is nobody else's business.
				writeFileSync(out, `${text}\n`, { mode: 0o600 });
			} catch (error) {
				refuse(`${out} cannot be written: ${messageOf(error)}`);
			}
			say(`${out}: written.`);
		},
		'journal reseal': async () => {
			const decision = decided();
			await confirmed('The journal is believed as it is now; nothing proves that it was not rewritten.');
			await call('POST', '/journal/reseal', decision);
			say('The journal goes on, sealed with a new key; who decided stands in it.');
		},
		'journal restart': async () => {
			const decision = decided();
			await confirmed('The books begin anew; what the old journal knows is only kept.');
			const { folder, open } = await call<{ folder: string; open: LeftOpen | null }>('POST', '/journal/restart', decision);
			say(`The old journal lies in ${folder}; keep it. The kiosk starts anew with an empty one.`);
			for (const line of leftLines(open)) say(line);
		},
	};
}

/** @returns what a person must look after by hand, because the new journal knows nothing of it */
function leftLines(open: LeftOpen | null): string[] {
	if (!open) return ['It cannot be read. Count the cashbox, and compare with the back office and the terminal’s slips.'];
	const line = (row: Record<string, unknown>): string =>
		`  ${Object.entries(row)
			.filter(([, value]) => value !== '' && value !== null)
			.map(([name, value]) => `${name} ${value}`)
			.join(', ')}`;
	const list = (title: string, rows: Record<string, unknown>[]): string[] => (rows.length > 0 ? [title, ...rows.map(line)] : []);
	return [
		`Credited since the cashbox was emptied last: Rp ${open.in_cashbox}`,
		...list('Notes in doubt, or unknown to the back office:', open.notes),
		...list('Card sales of unknown end, or unknown to the back office:', open.card_sales),
		...list('Invoices paid in part:', open.partial),
	];
}

function readable(file: string): boolean {
	try {
		accessSync(file, constants.R_OK);
		return true;
	} catch {
		return false;
	}
}

const BAD = 'Keep a copy of the file and take no money until somebody has looked.';
