import { readdirSync } from 'node:fs';
import type { LineFacts } from '../serial/line-record.ts';
import { ACCEPTOR_WORDS } from './acceptor-messages.ts';
import { EDC_WORDS } from './edc-messages.ts';
import { NO_CALL_REMEDY } from './money-checks.ts';
import { PRINTER_WORDS } from './printer-messages.ts';
import type { HealthDeps, PartNow } from './report.ts';

/** Folder with stable names of serial adapters, independent of the USB port. */
const BY_ID = '/dev/serial/by-id';

export function cash(of: HealthDeps): PartNow {
	const shown = of.cash.shownState();
	const [state, text, remedy] = ACCEPTOR_WORDS[shown];
	const now: PartNow = { part: 'cash', state, code: shown, text, why: '', remedy };
	if (shown !== 'not_configured' && of.outbox.isCallUnknown())
		return {
			...now,
			state: 'fail',
			code: 'no_call',
			text: `closed for new payments: the back office does not know the call for notes, ${of.notesPath}`,
			why: of.outbox.lastFailure() ?? '',
			remedy: NO_CALL_REMEDY,
		};
	const facts = of.acceptorLine?.facts();
	if (!facts) return now;
	const parity = of.acceptorParity;
	if (shown === 'disconnected') return { ...now, ...wrongPort(facts, 'acceptor', now.remedy) };
	if (shown === 'garbled' && facts.open_since === null && facts.lost) return { ...now, why: facts.lost.reason };
	if (shown === 'silent' || shown === 'garbled' || shown === 'starting') {
		const swapped = swappedLines(of, facts);
		if (swapped !== null)
			return { ...now, why: swapped, remedy: `Swap the two cables, or [acceptor] port and [edc] port. If that does not help: ${remedy}` };
	}
	if (parity !== 'even' && state !== 'off')
		return {
			...now,
			state: state === 'fail' ? 'fail' : 'warn',
			why: `[acceptor] parity is "${parity}", and ICT units send even parity, so no note is recognised`,
			remedy: 'Set [acceptor] parity = "even" (or leave it out).',
		};
	const marked = of.remarks.parity();
	if (marked !== null)
		return {
			...now,
			state: state === 'fail' ? 'fail' : 'warn',
			why: `${PARITY_SIGNS[marked.sign] ?? marked.sign}, first at ${marked.at}`,
			remedy:
				'Set the unit and its adapter to 9600 baud, 8 data bits, even parity. If they already have these settings: check cable and ground.',
		};
	if (shown === 'silent') return { ...now, why: silence(facts) };
	const [unmapped] = of.remarks.unmapped().slice(-1);
	if (unmapped && state === 'ok')
		return {
			...now,
			state: 'warn',
			why: `a note with code "${unmapped.code}" went back ${unmapped.count} time(s), last at ${unmapped.at}: no line of [acceptor.notes] names it`,
			remedy: 'Find out which note has this code and add its line: kioskctl acceptor commission.',
		};
	return now;
}

/** Texts for the symptoms of a wrong parity, by the driver's name of the symptom. */
const PARITY_SIGNS: Readonly<Record<string, string>> = {
	mark: 'received bytes failed parity checks',
	bare_types: 'note codes arrive without ESCROW (81) before them, and only codes that get through with parity off (40 43 45 46)',
};

const silence = ({ address, open_since, heard }: LineFacts): string =>
	`${address} has been open since ${open_since}; ${heard ? `the last bytes came at ${heard.at}` : 'nothing received since the daemon started'}`;

function wrongPort({ address, lost }: LineFacts, section: string, remedy: string): Pick<PartNow, 'why' | 'remedy'> {
	// The library's message also contains the word "Error" and the device's name, which are redundant
	// here.
	const reason = lost?.reason.replace(/^Error: /, '').replace(/,? cannot open .*$/i, '');
	const why = reason ? `${address}: ${reason}` : address;
	if (!address.startsWith('/')) return { why, remedy };
	const names = pluggedIn();
	const plugged = names.length > 0 ? `Connected now: ${names.join(', ')}.` : 'No USB serial adapter is connected.';
	return { why, remedy: `Check cable, power and [${section}] port. ${plugged} kioskctl devices shows more.` };
}

function pluggedIn(): string[] {
	try {
		return readdirSync(BY_ID).map((name) => `${BY_ID}/${name}`);
	} catch {
		return [];
	}
}

/**
 * @returns a sentence if neither device sends bytes of its own protocol, because their lines may be
 * swapped; else null
 */
function swappedLines(of: HealthDeps, acceptor: LineFacts): string | null {
	const edc = of.edcLine?.facts();
	if (!edc || acceptor.open_since === null || edc.open_since === null || acceptor.speaks || edc.speaks) return null;
	if (acceptor.heard_bytes + edc.heard_bytes === 0)
		return 'neither the bill acceptor nor the card terminal has sent anything on its line: their cables may be swapped';
	return 'the bytes on this line and on the card terminal’s line belong to the wrong protocols: their cables may be swapped';
}

export function card(of: HealthDeps): PartNow {
	const shown = of.card.shownState();
	const [state, text, remedy] = EDC_WORDS[shown];
	const now: PartNow = { part: 'card', state, code: shown, text, why: '', remedy };
	const waiting = of.journal.cards.waitingApprovals();
	const facts = of.edcLine?.facts();
	if (facts && shown === 'disconnected') return { ...now, ...wrongPort(facts, 'edc', remedy) };
	if (facts && (shown === 'starting' || shown === 'silent')) return { ...now, why: silence(facts) };
	if (waiting > 0)
		return { ...now, state: state === 'ok' ? 'warn' : state, text: `${text}; ${waiting} approval(s) wait for the back office` };
	if (facts && shown === 'ready' && !facts.speaks) {
		if (facts.heard_bytes > 0)
			return {
				...now,
				state: 'warn',
				why: 'the bytes on its line do not come from a card terminal: another device may be connected',
				remedy: 'Check [edc] port and the cable, then test the terminal: kioskctl edc echo.',
			};
		return { ...now, why: 'not yet confirmed: nothing received from it so far. kioskctl edc echo tests it.' };
	}
	return now;
}

export function printer(of: HealthDeps): PartNow {
	const part = 'printer';
	if (!of.printer) return { part, state: 'off', code: 'browser', text: 'not configured; the browser prints', why: '', remedy: '' };
	const trouble = of.printer.trouble();
	if (!trouble) return { part, state: 'ok', code: 'ok', text: String(of.printerUri), why: '', remedy: '' };
	const [why, remedy] = PRINTER_WORDS[trouble] ?? ['', 'Check paper, cover, cable and the queue in CUPS: lpstat -p.'];
	return { part, state: 'warn', code: trouble, text: `${of.printerUri}: ${trouble}`, why, remedy };
}

export function screen(of: HealthDeps): PartNow {
	const part = 'screen';
	const drawn = of.liveness.last();
	if (of.hub.screens() === 0) {
		const remedy = 'This is normal before the first log-in. Otherwise check the browser: systemctl status kiosk-screen.';
		return { part, state: 'warn', code: 'none', text: 'no screen is connected', why: '', remedy };
	}
	if (!drawn) return { part, state: 'ok', code: 'connected', text: 'connected', why: '', remedy: '' };
	const text = `shows ${drawn.screen}, drawn ${Math.round(drawn.ago_ms / 1000)} s ago`;
	if (!drawn.dead) return { part, state: 'ok', code: 'drawn', text, why: '', remedy: '' };
	const remedy = 'The page is connected but its picture is frozen. Restart the browser: systemctl restart kiosk-screen.';
	return { part, state: 'fail', code: 'frozen', text, why: '', remedy };
}

export function commissioning(of: HealthDeps): PartNow[] {
	if (!of.commissioning()) return [];
	return [
		{
			part: 'commission',
			state: 'warn',
			code: 'on',
			text: 'commissioning: the note codes are being learned; every note comes back',
			why: '',
			remedy: 'Finish kioskctl acceptor commission. It also ends when a customer begins to pay in cash.',
		},
	];
}
