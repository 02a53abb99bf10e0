import { applyFault, FAULT_CODES } from '../acceptor/faults.ts';
import { METHODS, type Method } from '../back-office/invoice.ts';
import { NETWORK_MODES } from '../back-office/network.ts';
import { type CardAnswer, TERMINAL_MODES } from '../edc/terminal.ts';
import { type Fields, isFields } from '../http.ts';
import { escposText } from '../printer/escpos-text.ts';
import type { PrintedReceipt } from '../printer/queue.ts';
import { SERVER_MODES } from '../printer/start.ts';
import {
	BadInput,
	flag,
	given,
	oneOf,
	optionalFlag,
	optionalOneOf,
	optionalText,
	optionalWholeNumber,
	text,
	wholeNumber,
} from './input.ts';
import type { Simulators } from './simulators.ts';
import { wholeState } from './state.ts';

type Action = (simulators: Simulators, fields: Fields) => unknown;

const LONGEST_MS = 600_000;
const LARGEST_TOTAL = 1_000_000_000;
const NOTE_ENDS = ['returned', 'stacked', 'removed'] as const;

const EDC_FAULTS: Record<string, (edc: Simulators['edc'], captured: boolean) => void> = {
	cut: ({ cable }) => {
		cable.cut = true;
	},
	mend: ({ cable }) => {
		cable.cut = false;
	},
	power_off: ({ terminal }, captured) => terminal.switchOff(captured),
	power_on: ({ terminal }) => terminal.switchOn(),
	restart: ({ terminal }, captured) => {
		terminal.switchOff(captured);
		terminal.switchOn();
	},
	forget_next: ({ terminal }) => {
		terminal.next.length = 0;
	},
};

/**
 * The calls of the panel's users and of tests, by method and path. They return the JSON of the
 * answer; if one throws BadInput, the answer has status 400.
 */
export const ACTIONS: Record<string, Action> = {
	'GET /state': wholeState,
	'POST /acceptor/insert': insertNote,
	'POST /acceptor/fault': ({ acceptor }, fields) => {
		const code = oneOf(fields, 'code', FAULT_CODES);
		const note = optionalOneOf(fields, 'note', NOTE_ENDS);
		applyFault(acceptor, code, given({ note, ms: optionalWholeNumber(fields, 'ms', LONGEST_MS), hex: optionalText(fields, 'hex') }));
		return { done: code };
	},
	'POST /edc/next': ({ edc }, fields) => {
		edc.terminal.next.push(cardAnswer(fields));
		return { next: edc.terminal.next };
	},
	'POST /edc/tap': ({ edc }, fields) => ({ tapped: edc.terminal.tap(cardAnswer({ respCode: '00', ...fields })) }),
	'POST /edc/mode': ({ edc }, fields) => {
		const mode = oneOf(fields, 'mode', TERMINAL_MODES);
		const details = { ms: optionalWholeNumber(fields, 'ms', LONGEST_MS), times: optionalWholeNumber(fields, 'times', 1_000) };
		edc.terminal.setMode(mode, given(details));
		return { mode };
	},
	'POST /edc/fault': ({ edc }, fields) => {
		const code = oneOf(fields, 'code', Object.keys(EDC_FAULTS));
		EDC_FAULTS[code]?.(edc, optionalFlag(fields, 'captured') ?? false);
		return { done: code };
	},
	'POST /edc/qris': ({ edc }, fields) => ({ done: edc.terminal.bank.endQris(oneOf(fields, 'end', ['paid', 'expired'])) }),
	'POST /back-office/pay': ({ backOffice }, fields) => {
		const method = (optionalOneOf(fields, 'method', Object.keys(METHODS)) ?? 'qris') as Method;
		return { paid: backOffice.books.pay(invoiceOf(backOffice, fields), method) };
	},
	'POST /back-office/network': async ({ backOffice }, fields) => {
		const up = optionalFlag(fields, 'up');
		const mode = optionalOneOf(fields, 'mode', NETWORK_MODES);
		const slowMs = optionalWholeNumber(fields, 'slowMs', LONGEST_MS);
		if (up === undefined && mode === undefined) throw new BadInput(`send up (true or false), or mode: ${NETWORK_MODES.join(', ')}`);
		const path = mode === undefined ? undefined : String(fields.path ?? '');
		await backOffice.setNetwork(given({ up, mode, slowMs, path }));
		return backOffice.network;
	},
	'POST /back-office/invoice': ({ backOffice }, fields) => {
		const total = fields.total === undefined ? undefined : wholeNumber(fields, 'total', LARGEST_TOTAL);
		return backOffice.books.addInvoice(text(fields, 'hp'), total, new Date());
	},
	'POST /back-office/tell-paid': ({ backOffice }, fields) => {
		backOffice.tellPaid(invoiceOf(backOffice, fields));
		return { sockets: backOffice.live.count() };
	},
	'POST /back-office/live': ({ backOffice }, fields) => {
		if (!isFields(fields.text)) throw new BadInput('text must be an object: the live message to send to every kiosk');
		backOffice.live.say(fields.text);
		return { sockets: backOffice.live.count() };
	},
	'POST /back-office/revoke': ({ backOffice }) => {
		backOffice.books.revokeTokens();
		backOffice.live.close();
		return { done: 'every login has ended' };
	},
	'POST /printer/paper': ({ printer }, fields) => {
		printer.queue.set({ paperOut: flag(fields, 'out') });
		return printer.queue.faults;
	},
	'POST /printer/fault': ({ printer }, fields) => {
		const names = Object.keys(printer.queue.faults);
		const chosen = names.filter((name) => fields[name] !== undefined);
		if (chosen.length === 0) throw new BadInput(`send one or more of ${names.join(', ')} as true or false`);
		printer.queue.set(Object.fromEntries(chosen.map((name) => [name, flag(fields, name)])));
		return printer.queue.faults;
	},
	'POST /printer/server': async ({ printer }, fields) => {
		const up = optionalFlag(fields, 'up');
		const mode = optionalOneOf(fields, 'mode', SERVER_MODES);
		const printMs = optionalWholeNumber(fields, 'printMs', LONGEST_MS);
		const paused = optionalFlag(fields, 'paused');
		if ([up, mode, printMs, paused].every((value) => value === undefined)) {
			throw new BadInput(`send up (true or false), paused (true or false), printMs, or mode: ${SERVER_MODES.join(', ')}`);
		}
		if (mode !== undefined) printer.setServerMode(mode);
		if (printMs !== undefined) printer.queue.printMs = printMs;
		if (paused !== undefined) paused ? printer.queue.pause() : printer.queue.resume();
		if (up !== undefined) await printer.setUp(up);
		return printer.state();
	},
	'GET /printer/receipts': ({ printer }) => printer.queue.receipts.map(shownReceipt),
	'POST /daemon/kill': ({ daemon }, fields) => {
		if (daemon === null) throw new BadInput('this panel did not start the daemon');
		const signal = optionalOneOf(fields, 'signal', ['SIGKILL', 'SIGTERM']) ?? 'SIGKILL';
		return { killed: daemon.kill(signal as 'SIGKILL' | 'SIGTERM') };
	},
};

function insertNote({ acceptor: { device } }: Simulators, fields: Fields): unknown {
	if (fields.unreadable === true) return device.insert('unreadable');
	if (fields.code !== undefined) return device.insert({ code: wholeNumber(fields, 'code', 0xff) });
	return device.insert({ nominal: oneOf(fields, 'nominal', Object.values(device.behaviour.notes)) });
}

function cardAnswer(fields: Fields): CardAnswer {
	const respCode = fields.respCode;
	if (typeof respCode !== 'string' || !/^[0-9A-Za-z]{2}$/.test(respCode)) {
		throw new BadInput('respCode must be two letters or digits: 00 approves; 54, 55, P2, P3, PT, Z3, CE, TO, S2, 51 … refuse');
	}
	return { respCode, ...given({ captured: optionalFlag(fields, 'captured') }) };
}

function invoiceOf(backOffice: Simulators['backOffice'], fields: Fields) {
	const invoice = backOffice.books.byId(fields.id);
	if (invoice === undefined) throw new BadInput('id must be the id of an invoice; GET /state lists them');
	return invoice;
}

const shownReceipt = ({ jobId, name, format, at, data }: PrintedReceipt) => ({
	jobId,
	name,
	format,
	at,
	text: format === 'application/pdf' ? `[PDF, ${data.length} bytes]` : escposText(data),
	base64: data.toString('base64'),
});
