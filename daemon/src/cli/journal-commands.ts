import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/result.ts';
import { differenceFrom, readAnchors } from '../journal/anchors.ts';
import { type Chain, type PaymentFile, paymentFile, paymentsOf, verifyChain } from '../journal/payment-file.ts';
import { readSeal, type Seal } from '../journal/seal.ts';
import { JOURNAL_FILE, readStore } from '../journal/store.ts';
import type { Restarted } from '../staff/journal-calls.ts';
import type { CommandTools } from './command-tools.ts';
import { restartLines } from './restart-lines.ts';

type Reader = Extract<ReturnType<typeof readStore>, { ok: true }>['value'];

/** Command-line values and tools of the journal commands. */
export interface JournalCommandDeps {
	/** Locations of the journal and its key. */
	place: () => { directory: string; keyFile: string };
	payment: string;
	invoice: string;
	out: string;
	/** File with anchors; '' for none. */
	against: string;
	tools: CommandTools;
}

/**
 * @returns the commands under `kioskctl journal`, by name. If the Unix user may read the journal's
 * file, `verify` and `export` need no daemon
 */
export function journalCommands(deps: JournalCommandDeps): Record<string, () => Promise<void>> {
	const { payment, invoice, out, against } = deps;
	const { say, refuse, call, decided, confirmed } = deps.tools;

	/**
	 * Reads the journal's file if this Unix user may read it; otherwise asks the daemon. Exits with
	 * the reason if this fails.
	 */
	async function reading<T>(act: (store: Reader, seal: Seal | null) => T | Promise<T>, path: string): Promise<T> {
		const { directory, keyFile } = deps.place();
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

	async function compareAnchors(): Promise<void> {
		const anchors = readAnchors(readOrRefuse(against));
		if (anchors.length === 0) refuse(`${against} has no anchors: it needs log lines of the event journal.anchor with record and hash.`);
		const { directory } = deps.place();
		if (!readable(join(directory, JOURNAL_FILE))) refuse(`This account may not read the journal in ${directory}; use sudo.`);
		const difference = await reading<string | null>((store) => differenceFrom(store, anchors), '/journal/verify');
		if (difference !== null) refuse(`${difference}. ${BAD}`);
		say(`${anchors.length} anchors of ${against}: the journal still has every one of these records.`);
	}

	function readOrRefuse(file: string): string {
		try {
			return readFileSync(file, 'utf8');
		} catch (error) {
			return refuse(`${file} cannot be read: ${messageOf(error)}`);
		}
	}

	return {
		'journal verify': async () => {
			const { records, bad, fault, sealed_from } = await reading<Chain>(verifyChain, '/journal/verify');
			if (bad !== null) refuse(`${records} records; ${fault}. ${BAD}`);
			if (against !== '') await compareAnchors();
			say(`${records} records; each follows from the record before it.`);
			say(
				sealed_from === null
					? 'The key of the journal was not available, so the seals were not checked: a completely rewritten chain would not be detected.'
					: `Each record from ${sealed_from} on has the seal of this kiosk.`,
			);
		},
		'journal export': async () => {
			if ((payment === '') === (invoice === '')) refuse('Which payment? Give --payment ID or --invoice NUMBER');
			const file = await reading<PaymentFile>(
				(store) => {
					const payments = paymentsOf(store, payment ? { payment } : { invoice });
					return payments.length > 0 ? paymentFile(store, payments) : refuse(`The journal has no money for ${payment || invoice}.`);
				},
				payment ? `/journal/payment/${encodeURIComponent(payment)}` : `/journal/invoice/${encodeURIComponent(invoice)}`,
			);
			const text = JSON.stringify(file, null, '\t');
			if (out === '') return say(text);
			try {
				// The file contains payment data, so only its owner may read it.
				writeFileSync(out, `${text}\n`, { mode: 0o600 });
			} catch (error) {
				refuse(`${out} cannot be written: ${messageOf(error)}`);
			}
			say(`${out}: written.`);
		},
		'journal reseal': async () => {
			const decision = decided();
			await confirmed('The journal is accepted as it is; nothing proves that it was not rewritten.');
			await call('POST', '/journal/reseal', decision);
			say('The journal is in use again, sealed with a new key. It records name and reason.');
		},
		'journal restart': async () => {
			const decision = decided();
			await confirmed('The kiosk begins with a new journal, which takes over only the staff names. The old journal is kept in a folder.');
			const begun = await call<Restarted>('POST', '/journal/restart', decision);
			for (const line of restartLines(begun)) say(line);
		},
	};
}

function readable(file: string): boolean {
	try {
		accessSync(file, constants.R_OK);
		return true;
	} catch {
		return false;
	}
}

const BAD = 'Keep a copy of the file and take no money until the cause is found: docs/technician/panduan-teknisi.md, "Jurnal ditolak".';
