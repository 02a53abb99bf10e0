import { EventEmitter } from 'node:events';
import {
	CreatedVa,
	ErrorAnswer,
	type Id,
	IdSchema,
	InvoiceInfo,
	LoginAnswer,
	PinAnswer,
	PromoVideo,
	ResendAnswer,
	TransactionPage,
	VaBanks,
} from '@kiosk/contract/back-office';
import { CashCloseAnswer, OpenMachineAnswer, OpenMachineRequest, PrintAnswer, ScreenSettings } from '@kiosk/contract/kiosk-api';
import { LiveMessage, ScreenMessage } from '@kiosk/contract/live';
import { rupiah, sumRupiah } from '@kiosk/contract/money';
import { receiptOf } from '@kiosk/contract/receipt';
import { sameId } from '@kiosk/contract/same-id';
import * as v from 'valibot';
import { type LiveSocket, startLiveLink } from '../../../daemon/src/back-office/live-link.ts';
import { readNoteAnswer } from '../../../daemon/src/back-office/note-answer.ts';
import type { OutletToken } from '../../../daemon/src/back-office/token.ts';
import { Secret } from '../../../daemon/src/base/secret.ts';
import { parseJson } from '../../../daemon/src/http/handler.ts';
import { balanceOf } from '../../../daemon/src/journal/balance.ts';
import { withBalance } from '../../../daemon/src/screen/look-up-answer.ts';
import { picturesIn } from '../../../daemon/src/screen/pictures.ts';
import { screenMessages } from '../../../daemon/src/screen/screen-messages.ts';
import { parseLive } from '../../../ui/src/lib/live-message.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { Target } from './engine.ts';

const JSON_WORDS = [
	'{"',
	'":',
	'"id":',
	'"is_paid":true',
	'"text":',
	'"type":',
	'null',
	'[',
	']',
	'}',
	',',
	'\\u0000',
	'\\ud800',
	'"__proto__":',
	'1e999',
];
const token = {
	current: () => ({ token: new Secret('t'), development: false, refused: false }),
	onChange: () => {},
} as unknown as OutletToken;

/** Feeds the input, as a message of the back office's socket, into the daemon's reader. */
const serverSocket: Target = {
	name: 'server-socket',
	words: [...JSON_WORDS, 'payment_notification', 'payment_cash_notification', 'machine_ready', 'kiosk_', 'payment_edc_bca_notification'],
	run(input) {
		const socket = new EventEmitter();
		const relayed: { type: string }[] = [];
		const paid: Id[] = [];
		const reached: string[] = [];
		startLiveLink({
			url: 'ws://127.0.0.1/{token}',
			open: () => socket as unknown as LiveSocket,
			token,
			clock: new VirtualClock().ofProcess(() => true),
			log: { event: (id, fields) => void reached.push(logged(id, fields)) },
			random: () => 0,
			isNonCashShown: () => false,
			onChanged: () => {},
			relay: (text) => void relayed.push(text),
			onPaid: (id) => paid.push(id) > 0,
		});
		socket.emit('message', input);
		for (const text of relayed) {
			if (text.type.startsWith('kiosk_')) throw new Error(`${text.type} is passed on, but only the kiosk may send it`);
			JSON.stringify({ text });
		}
		for (const id of paid) keepsId(id);
		if (paid.length > 1) throw new Error('one message pays twice');
		if (paid.length > 0 && !/is_paid|payment_notification/.test(unescaped(input.toString('utf8'))))
			throw new Error('paid without a message');
		return [...reached, `${relayed.length} relayed, ${paid.length} paid`];
	},
};

const unescaped = (text: string): string =>
	text.replace(/\\+u00([0-7][0-9a-fA-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** @returns the message without values of the input, so that few different messages remain */
const worded = (sentence: string): string =>
	sentence
		.replace(/\d+/g, '0')
		.replace(/(received|at) .*/s, '')
		.slice(0, 120);
function logged(id: string, fields: Record<string, unknown>): string {
	// The daemon only logs an exception of a message handler. Here the exception must fail the run.
	if (id === 'screen.handler_failed') throw new Error(`${fields.error}: ${fields.message}, ${fields.place}`);
	return worded(`${id} ${fields.path ?? ''} ${fields.reason ?? ''}`);
}

/** An id must survive the journal unchanged; otherwise money cannot be assigned to its invoice. */
function keepsId(id: Id): void {
	const back: unknown = JSON.parse(JSON.stringify(id));
	if (!v.is(IdSchema, back) || !sameId(back, id)) throw new Error(`the id ${String(id)} is not read back from the journal`);
}

/** The only kind of message from a screen that may reach the back office. */
const Amount = v.strictObject({ message: v.literal('transaction'), amount: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });

/** Feeds the input, as a message of a screen, into the daemon. */
const screenSocket: Target = {
	name: 'screen-socket',
	words: [
		...JSON_WORDS,
		'"message":',
		'ping',
		'transaction',
		'start_transaction',
		'transaction_approve',
		'payment_edc_bca_notification',
		'"amount":',
		'kiosk_',
	],
	run(input) {
		const message = parseJson(ScreenMessage, input);
		if (!message.ok) return [worded(message.error.reason)];
		const reached: string[] = [];
		const sent: object[] = [];
		const send = async (whole: object) => sent.push(whole) > 0;
		const link = { isConnected: () => true, openSince: () => 0, lastFailure: () => null, send, stop: () => {} };
		screenMessages({
			start({ amount, id }) {
				if (!Number.isSafeInteger(amount) || amount < 0) throw new Error(`a sale of ${amount} is requested`);
				if (id !== undefined) keepsId(id);
				reached.push('start');
			},
			approve: () => void reached.push('approve'),
			link: () => link,
			notify: (text) => void reached.push(text.type),
			log: { event: (id, fields) => void reached.push(logged(id, fields)) },
		})(message.value);
		for (const one of sent) if (!v.is(Amount, one)) throw new Error(`${JSON.stringify(one)} is passed on`);
		return reached;
	},
};

const NAMES_NOTE: ReadonlySet<string> = new Set(['payment_cash_notification', 'kiosk_note_moving', 'kiosk_note_in_doubt']);

/** Feeds the input, as a message of the daemon, into the screen's reader. */
const liveSocket: Target = {
	name: 'live-socket',
	words: [...JSON_WORDS, 'machine_ready', 'kiosk_edc_sale', 'kiosk_note_moving', 'payment_cash_notification', '"nominal":', '"amount":'],
	run(input) {
		const text = parseLive(input.toString('utf8'));
		if (text === null) return [worded(reasonOf(LiveMessage, input))];
		const amount = text.type === 'kiosk_edc_sale' ? text.amount : NAMES_NOTE.has(text.type) ? (text as { nominal?: unknown }).nominal : 0;
		if (!Number.isSafeInteger(amount)) throw new Error(`${text.type} has the amount ${String(amount)}`);
		if ('id' in text && text.id !== undefined) keepsId(text.id as Id);
		return [text.type];
	},
};

const reasonOf = (schema: v.GenericSchema, input: Buffer): string => {
	const parsed = parseJson(schema, input);
	return parsed.ok ? 'fits' : parsed.error.reason;
};

const ANSWERS: readonly v.GenericSchema[] = [
	LoginAnswer,
	PinAnswer,
	ResendAnswer,
	VaBanks,
	CreatedVa,
	PromoVideo,
	ErrorAnswer,
	ScreenSettings,
	OpenMachineAnswer,
	OpenMachineRequest,
	CashCloseAnswer,
	PrintAnswer,
];

const PAPER = { logo: '', ahass: '', tanggal: '', metode: '', received: null };

/**
 * Feeds the input, as an answer of the server, through schemas of daemon and screen, and into the
 * daemon's handling of a note and an invoice.
 */
const answers: Target = {
	name: 'answers',
	words: [
		...JSON_WORDS,
		'"results":',
		'"total":',
		'"list_pembayaran":',
		'"nominal":',
		'"json_data":',
		'"qr_url":"http://a/b"',
		'"success":',
		'137500.00',
	],
	run(input) {
		readNoteAnswer({ status: 200, contentType: '', setCookie: [], body: input });
		const reached = ANSWERS.map((schema, index) => worded(`${index} ${reasonOf(schema, input)}`));
		const page = parseJson(TransactionPage, input);
		if (page.ok) for (const row of page.value.results) receiptOf({ ...PAPER, invoice: row });
		const answer = parseJson(InvoiceInfo, input);
		if (!answer.ok) return [...reached, worded(answer.error.reason)];
		const { results } = answer.value;
		keepsId(results.id);
		if (results.odoo_id !== null && results.odoo_id !== undefined) keepsId(results.odoo_id);
		if (!Number.isSafeInteger(results.total) || results.total < 0) throw new Error(`the total is ${results.total}`);
		receiptOf({ ...PAPER, invoice: results });
		sumRupiah((results.list_pembayaran ?? []).map((payment) => payment.nominal));
		const listed = (results.list_pembayaran ?? []).map(({ nominal, tanggal }) => ({ nominal, note_id: null, time: tanggal }));
		const own = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: rupiah(0) };
		const card = { note_id: null, nominal: results.total, time: '' };
		const view = { total: results.total, is_paid: results.is_paid, listed, own };
		const balance = balanceOf({ view, claim: null, total: results.total, notes: [], cards: [card], givenBack: rupiah(0) });
		const told = parseJson(InvoiceInfo, withBalance(input, answer.value, balance, []));
		if (results.total > 0 && (!told.ok || !told.value.results.is_paid)) throw new Error('the screen is not told about a paid card sale');
		for (const address of picturesIn(JSON.parse(input.toString('utf8')))) new URL(address);
		return reached;
	},
};

export const MESSAGE_TARGETS: readonly Target[] = [serverSocket, screenSocket, liveSocket, answers];
