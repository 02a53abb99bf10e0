// @module-tag deep
/**
 * Staff move a parked note while a customer pays the target invoice, or while the kiosk uploads
 * other notes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { SentNote, Told } from '../../simulators/back-office/lying-office.ts';
import { staffCall } from '../../support/staff-call.ts';
import { staffCases } from '../../support/staff-cases.ts';
import { until } from '../../support/until.ts';
import {
	answered,
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	listed,
	lookUp,
	lookUps,
	newScreen,
	of,
	office,
	pay,
	phases,
	sell,
	tap,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

/** The server's answers to uploads of notes, by invoice number. */
let answers = new Map<string, () => Told | Promise<Told>>();
beforeEach(() => {
	answers = new Map();
	office.onNote = ({ noinvoice }: SentNote) => answers.get(noinvoice)?.() ?? { status: 200 };
});

const money = (method: string, path: string, body: object | null = null) => staffCall(kiosk, method, path, body);
const BY = { by: 'Sari', why: 'wrong invoice' };
const keyOf = async (noinvoice: string) => String((await money('GET', `/money/look-up/${encodeURIComponent(noinvoice)}`)).body.key);
const move = (note: string, number: string, expected: string) => money('POST', '/money', { action: 'move', note, number, expected, ...BY });
const waitingNotes = async () => (await money('GET', '/money/parked')).body.parked as { note_id: string; noinvoice: string }[];

/**
 * Inserts a note that the back office refuses, and waits until it is parked.
 * @returns the note's id, and the invoice of its customer
 */
async function parkedNote(nominal: number): Promise<{ note: string; invoice: ReturnType<typeof customer>['invoice'] }> {
	const { hp, invoice } = customer(137_500);
	answers.set(invoice.noinvoice, () => ({ status: 422 }));
	await kiosk.openCash(hp);
	await pay(nominal);
	await close(invoice);
	await until(async () => {
		if (of('outbox.parked', invoice).length > 0) return;
		await kiosk.login();
		throw new Error('the note is not parked yet');
	});
	const note = (await waitingNotes()).find(({ noinvoice }) => noinvoice === invoice.noinvoice);
	return { note: note?.note_id ?? '', invoice };
}

/**
 * Inserts a note and holds back the server's answer to its upload. @returns a function that sends
 * the answer
 */
async function noteInFlight(): Promise<() => void> {
	const { hp, invoice } = customer(50_000);
	let answer = () => {};
	answers.set(invoice.noinvoice, () => new Promise((resolve) => (answer = () => resolve({ status: 200 }))));
	await kiosk.openCash(hp);
	await pay(20_000);
	await close(invoice);
	await until(() => expect(office.notes.at(-1)).toMatchObject({ noinvoice: invoice.noinvoice }));
	return () => answer();
}

/** Longest time that a look-up waits for a note that is being uploaded, ms. */
const LOOK_UP_WAITS_MS = 2_000;

test('a note is not moved to an invoice that a customer begins to pay during the move', async () => {
	const { note } = await parkedNote(50_000);
	const target = customer(100_000);
	const expected = await keyOf(target.invoice.noinvoice);
	const answer = await noteInFlight();
	const moving = move(note, target.invoice.noinvoice, expected);
	await delay(LOOK_UP_WAITS_MS + 500);
	await kiosk.openCash(target.hp);
	await pay(20_000);
	answer();
	expect(await moving).toMatchObject({ status: 409, body: { code: 'busy' } });
	await close(target.invoice);
	await told();
});

test('if staff on two pages move a note at the same moment, it is moved once', async () => {
	const { note } = await parkedNote(50_000);
	const targets = [customer(100_000), customer(100_000)];
	const keys: string[] = [];
	for (const { invoice } of targets) keys.push(await keyOf(invoice.noinvoice));
	const moved = await Promise.all(targets.map(({ invoice }, at) => move(note, invoice.noinvoice, keys[at] ?? '')));
	expect(moved.map(({ status }) => status).sort()).toEqual([200, 404]);
	await told();
	const sums = await Promise.all(
		targets.map(async ({ hp }) => (await lookUp(hp)).body.results as { list_pembayaran: { nominal: number }[] }),
	);
	expect(sums.flatMap(({ list_pembayaran }) => list_pembayaran)).toMatchObject([{ nominal: 50_000 }]);
});

test('a note is not moved to an invoice that is being paid by card', async () => {
	const { note } = await parkedNote(50_000);
	await newScreen();
	const target = customer(100_000);
	const expected = await keyOf(target.invoice.noinvoice);
	await lookUp(target.hp);
	sell(target.invoice, 100_000);
	await until(() => expect(phases().at(-1)).toBe('acked'));
	expect(await move(note, target.invoice.noinvoice, expected)).toMatchObject({ status: 409, body: { code: 'busy' } });
	await tap();
	await until(() => expect(phases().at(-1)).toBe('approved'));
});

test('if a message "paid" for the target invoice arrives while staff move a note to it, the invoice is still paid after a restart', async () => {
	const { note } = await parkedNote(50_000);
	const target = customer(100_000);
	const expected = await keyOf(target.invoice.noinvoice);
	await kiosk.openCash(target.hp);
	await pay(20_000);
	await close(target.invoice);
	await told();
	target.invoice.list_pembayaran = [listed(20_000)];
	const answer = await noteInFlight();
	const moving = move(note, target.invoice.noinvoice, expected);
	await delay(LOOK_UP_WAITS_MS + 500);
	Object.assign(target.invoice, { is_paid: true, list_pembayaran: [listed(20_000), listed(80_000)] });
	const before = lookUps();
	office.say({ type: 'payment_notification', id: target.invoice.id, odoo_id: target.invoice.odoo_id });
	await until(() => expect(lookUps()).toBeGreaterThan(before));
	office.onLookUp = () => 'cut';
	answer();
	await moving;
	await kiosk.crash();
	const { body } = await money('GET', `/money/invoice/${encodeURIComponent(target.invoice.noinvoice)}`);
	expect(body.balance).toMatchObject({ state: expect.stringMatching(/^paid/) });
});

test('if the back office still lists a moved note for its old invoice, that invoice is in dispute', async () => {
	const { note, invoice } = await parkedNote(50_000);
	const other = customer(100_000).invoice;
	expect(await move(note, other.noinvoice, await keyOf(other.noinvoice))).toMatchObject({ status: 200 });
	await told();
	const cases = async () => (await staffCases(kiosk)).filter(({ noinvoice }) => noinvoice === invoice.noinvoice);
	invoice.list_pembayaran = [listed(50_000, note)];
	expect(await lookUp(invoice.noinvoice)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	expect(await cases()).toMatchObject([{ kind: 'dispute' }]);
	invoice.list_pembayaran = [];
	expect(await lookUp(invoice.noinvoice)).toMatchObject({ status: 200 });
	expect(await cases()).toEqual([]);
});

test('a note of another outlet is not moved until the back office has answered the note’s upload', async () => {
	const logIn = async (username: string) => {
		// If the first log-in is refused with a warning about waiting money, the second log-in confirms
		// the warning.
		for (let tries = 0; tries < 2; tries += 1)
			if ((await kiosk.call('/auth/login-outlet/', { username, password: 'x' })).status === 200) return;
		throw new Error(`${username} cannot log in`);
	};
	const { hp, invoice } = customer(137_500);
	answers.set(invoice.noinvoice, () => ({ status: 503 }));
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	const { username } = kiosk.backOffice.account;
	await logIn('second');
	const note = (await waitingNotes()).find(({ noinvoice }) => noinvoice === invoice.noinvoice)?.note_id ?? '';
	const target = customer(100_000);
	const expected = await keyOf(target.invoice.noinvoice);

	let find = () => {};
	office.onLookUp = (found) => new Promise((resolve) => (find = () => resolve(answered(found))));
	const before = lookUps();
	const moving = move(note, target.invoice.noinvoice, expected);
	await until(() => expect(lookUps()).toBeGreaterThan(before));
	let book = () => {};
	answers.set(invoice.noinvoice, () => new Promise((resolve) => (book = () => resolve({ status: 200 }))));
	const sent = office.notes.length;
	await logIn(username);
	await until(() => expect(office.notes.length).toBeGreaterThan(sent));
	await logIn('second');
	find();
	expect(await moving).toMatchObject({ status: 409, body: { code: 'busy' } });
	book();
	await until(async () => expect((await waitingNotes()).filter(({ note_id }) => note_id === note)).toEqual([]));
	await kiosk.login();
});

test.each<[late: string, answer: Told]>([
	['confirms it', { status: 200 }],
	['refuses it', { status: 409 }],
	['is cut off', 'cut'],
])('while a note is being sent again, it cannot be moved, booked by hand or sent once more (the answer %s)', async (_late, late) => {
	const { note, invoice } = await parkedNote(50_000);
	const target = customer(100_000);
	const expected = await keyOf(target.invoice.noinvoice);
	let answer = () => {};
	answers.set(invoice.noinvoice, () => new Promise((resolve) => (answer = () => resolve(late))));
	const sent = office.notes.length;
	expect(await money('POST', '/money', { action: 'resend', note, ...BY })).toMatchObject({ status: 200 });
	await until(() => expect(office.notes.length).toBeGreaterThan(sent));
	const decisions = [
		move(note, target.invoice.noinvoice, expected),
		money('POST', '/money', { action: 'book', note, ...BY }),
		money('POST', '/money', { action: 'resend', note, ...BY }),
	];
	await delay(200);
	answers.set(invoice.noinvoice, () => ({ status: 200 }));
	answer();
	expect((await Promise.all(decisions)).map(({ status }) => status)).toEqual([404, 404, 404]);
	await told();
	expect(await waitingNotes()).not.toContainEqual(expect.objectContaining({ note_id: note }));
	expect(office.notes.filter(({ note_id }) => note_id === note).map(({ noinvoice }) => noinvoice)).not.toContain(target.invoice.noinvoice);
	const { body } = await money('GET', `/money/invoice/${encodeURIComponent(invoice.noinvoice)}`);
	expect(body.balance).toMatchObject({ state: 'partial', received: 50_000 });
});
