/**
 * Staff check receipts and slips by their code. The tests cover the way from the printed bytes to
 * the verdict.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SlipVerdict } from '@kiosk/contract/slip-check';
import { beforeEach, expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import type { Printer } from '../../simulators/printer/start.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, type KioskOptions, printerSection } from '../../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../../support/kiosk-for-test.ts';
import { rastersIn, readQr } from '../../support/read-qr.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const SITI_PAID_BY_QRIS = '081200000001';
const YEAR_MS = 365 * 86_400_000;

let printer: Printer;
let kiosk: Kiosk;

async function open(options: KioskOptions = {}): Promise<Kiosk> {
	const opened = await kioskForTest({ settings: printerSection(printer.uri), ...options });
	await opened.screen();
	return opened;
}
async function start(options: KioskOptions = {}): Promise<void> {
	kiosk = await open(options);
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
}

beforeEach(async () => {
	printer = await printerForTest(10);
});

interface Paper {
	text: string;
	/** The code that staff type on the keypad. */
	code: string;
	qr: string;
}

/** @returns the paper with this number, counted from 1; waits until it is printed */
function paper(number: number): Promise<Paper> {
	return until(() => {
		const data = printer.queue.receipts[number - 1]?.data;
		if (!data || printer.queue.receipts.length > number) throw new Error(`${printer.queue.receipts.length} papers`);
		const [raster] = rastersIn(data).slice(-1);
		if (!raster) throw new Error('no picture');
		const text = escposText(data);
		return { text, code: /Kode +(\S+)/.exec(text)?.[1] ?? '', qr: readQr(raster).text };
	});
}

/** Pays Budi's invoice of Rp 137.500 with Rp 150.000 and prints a receipt. */
async function overpaid(at = kiosk): Promise<{ id: unknown; noinvoice: unknown }> {
	const invoice = await at.openCash(BUDI);
	for (const nominal of [100_000, 50_000]) await feedNote(at, nominal);
	await until(() => expect(at.daemon.events('cash.paid')).toHaveLength(1));
	await at.post('/kiosk/cash/close', { id: invoice.id });
	await until(async () => expect((await at.post('/kiosk/print', { id: invoice.id, of: 'invoice' })).status).toBe(202));
	return invoice as { id: unknown; noinvoice: unknown };
}

const verify = async (code: string, at = kiosk): Promise<SlipVerdict & { exit: number }> => {
	const { code: exit, out } = await at.ctl('verify', code, '--json');
	return { ...JSON.parse(out), exit };
};
async function show(code: string): Promise<SlipVerdict> {
	await kiosk.staff();
	return shown(code);
}
/** Checks a code while the staff screen is already open. */
async function shown(code: string): Promise<SlipVerdict> {
	const { status, body } = await kiosk.post('/kiosk/staff/slip', { code });
	expect({ status, body }).toMatchObject({ status: 200 });
	return body as unknown as SlipVerdict;
}
async function giveChange({ case: open }: NonNullable<SlipVerdict['paper']>) {
	const wish = { kind: open?.kind, id: open?.id, amount: open?.amount, decision: 'given', nominal: null, by: 'Sari', second: null };
	return kiosk.post('/kiosk/staff/cases', wish);
}

test('after staff have given the change of a receipt, a check reports the receipt as used and names the giver', {
	tags: 'deep',
}, async () => {
	await start();
	const { noinvoice } = await overpaid();
	const { text, code, qr } = await paper(1);
	expect(text).toMatch(/Tukarkan Lebih Bayar di kasir dengan struk ini\.\n-{48}\nKode +[0-9A-Z-]{19}\n *\[image\]\n\[cut\]$/);

	expect(await verify(code)).toMatchObject({ verdict: 'genuine', exit: 0, paper: { kind: 'receipt', noinvoice, signed_amount: null } });
	expect(await verify(qr)).toMatchObject({ verdict: 'genuine', exit: 0, paper: { signed_amount: 137_500, code } });

	const first = await show(code.toLowerCase().replaceAll('-', ' '));
	expect(first).toMatchObject({
		verdict: 'genuine',
		paper: {
			money: { state: 'paid', total: 137_500, received: 150_000 },
			case: { kind: 'change', amount: 12_500, noinvoice },
			given: null,
		},
	});
	// Checks the receipt again, as with a photograph of it, before the change is given.
	expect(await show(qr)).toMatchObject({ verdict: 'shown', paper: { shown: { times: 1 }, case: { amount: 12_500 } } });
	if (!first.paper) throw new Error('no paper');
	expect(await giveChange(first.paper)).toMatchObject({ status: 200, body: { cases: [] } });
	const slip = await paper(2);
	expect(slip.text).toMatch(/UANG DIBERIKAN[\s\S]*Oleh +Sari[\s\S]*Diberikan +Rp 12\.500[\s\S]*tanda tangan/);
	expect(await verify(slip.qr)).toMatchObject({
		verdict: 'genuine',
		paper: { kind: 'given', signed_amount: 12_500, noinvoice, case: null, given: null },
	});

	// After staff have given the change, the typed code and the QR code both show the giver's name.
	expect(await show(code)).toMatchObject({ verdict: 'given', paper: { given: { amount: 12_500, by: 'Sari' }, case: null } });
	expect(await giveChange(first.paper)).toMatchObject({ status: 409, body: { code: 'not_open' } });
	expect(await verify(qr)).toMatchObject({ verdict: 'given', exit: 1, paper: { given: { by: 'Sari' } } });
	expect((await kiosk.ctl('verify', code)).out).toMatch(/^Used: its money was given to the customer\.[\s\S]*given +Rp 12\.500 by Sari/);
	expect(kiosk.daemon.events('slip.checked').map(({ verdict }) => verdict)).toEqual(['genuine', 'shown', 'given']);
});

test('the second print of a receipt is recognised as a copy, and the first stays genuine', async () => {
	await start();
	const { id } = await kiosk.lookUp(SITI_PAID_BY_QRIS);
	const print = () => until(async () => expect((await kiosk.post('/kiosk/print', { id, of: 'invoice' })).status).toBe(202));
	await print();
	const original = await paper(1);
	await until(() => expect(kiosk.daemon.events('print.done')).toHaveLength(1));
	await print();
	const copy = await paper(2);
	expect(copy.text).toContain('SALINAN');
	expect(copy.qr).toMatch(/^KIOSK1\/S\//);
	expect(await verify(copy.code)).toMatchObject({ verdict: 'copy', exit: 1, paper: { kind: 'copy' } });
	expect(await verify(copy.qr)).toMatchObject({ verdict: 'copy', exit: 1 });
	expect(await verify(original.code)).toMatchObject({ verdict: 'genuine', paper: { kind: 'receipt', case: null } });
});

test('a receipt with an edited amount is reported as forged, and a code with a wrong character as mistyped', async () => {
	await start();
	await overpaid();
	const { code, qr } = await paper(1);
	expect(await verify(qr.replace('/137500/12500/', '/137500/92500/'))).toMatchObject({ verdict: 'forged', exit: 1, paper: null });
	expect(await verify(qr.replace(/.{9}$/, ''))).toMatchObject({ verdict: 'mistyped', exit: 2 });
	const wrong = code.replace(/.$/, (letter) => (letter === '0' ? '1' : '0'));
	expect(await verify(wrong)).toMatchObject({ verdict: 'mistyped', exit: 2 });
	expect((await kiosk.ctl('verify', wrong)).out).toContain('Mistyped');
	expect((await kiosk.ctl('verify')).code).toBe(2);
	expect(await show(wrong)).toMatchObject({ verdict: 'mistyped', paper: null });
});

test('a receipt’s QR code is genuine at the kiosk that printed it; any other kiosk reports a receipt of another kiosk', {
	tags: 'deep',
}, async () => {
	await start();
	const other = await open();
	await overpaid(other);
	const { code, qr } = await paper(1);
	expect(await verify(qr, other)).toMatchObject({ verdict: 'genuine', exit: 0 });
	expect(await verify(qr)).toMatchObject({ verdict: 'other_kiosk', exit: 1, paper: null });
	// The verdict varies, because a typed code names its kiosk only by two letters, which two kiosks
	// can share.
	expect(['other_kiosk', 'unknown', 'forged']).toContain((await verify(code)).verdict);
	const [one, two] = [(await kiosk.ctl('key')).out, (await other.ctl('key')).out];
	expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{8} [\w-]{43} \S/);
	expect(one).not.toBe(two);
	expect(qr.split('/')[2]).toBe(two.slice(0, 8));
});

test('receipts can be checked without the back office and with a wrong clock', async () => {
	await start({ movableClock: true });
	await overpaid();
	const { code, qr } = await paper(1);
	await kiosk.backOffice.stop();
	// While the back office is down, the kiosk checks the PIN itself.
	await kiosk.staff();
	kiosk.shiftWall(-YEAR_MS);
	const first = await shown(qr);
	expect(first).toMatchObject({ verdict: 'genuine', paper: { case: { amount: 12_500 } } });
	if (!first.paper) throw new Error('no paper');
	expect(await giveChange(first.paper)).toMatchObject({ status: 200 });
	expect(await shown(code)).toMatchObject({ verdict: 'given', paper: { given: { by: 'Sari' } } });
	kiosk.shiftWall(YEAR_MS);
	expect(await shown(qr)).toMatchObject({ verdict: 'given', paper: { shown: { times: 2 } } });
});

test('the check of a slip shows the open case until staff give the money back', { tags: 'deep' }, async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	const { text, code, qr } = await paper(1);
	expect(text).toContain('BELUM LUNAS');
	expect(await verify(qr)).toMatchObject({ verdict: 'genuine', paper: { kind: 'partial', signed_amount: 50_000 } });
	const { paper: checked } = await show(code);
	expect(checked).toMatchObject({
		kind: 'partial',
		money: { state: 'partial', received: 50_000 },
		case: { kind: 'partial', amount: 50_000 },
	});
	if (!checked) throw new Error('no paper');
	expect(await giveChange(checked)).toMatchObject({ status: 200 });
	expect(await show(code)).toMatchObject({ verdict: 'given', paper: { given: { amount: 50_000, by: 'Sari' } } });
});

test('the kiosk recognises its receipts after a restart, but not after its damaged key was replaced', { tags: 'deep' }, async () => {
	await start();
	await overpaid();
	const { code, qr } = await paper(1);
	await show(code);
	await kiosk.crash();
	expect(await verify(qr)).toMatchObject({ verdict: 'shown', paper: { shown: { times: 1 } } });
	await kiosk.crash(() => writeFileSync(join(kiosk.directory, 'journal', 'slip.key'), 'x'));
	expect(kiosk.daemon.events('slip.key_damaged')).toHaveLength(1);
	expect(await verify(qr)).toMatchObject({ verdict: 'other_kiosk' });
});

test('after the journal is deleted, an older receipt is unknown, not forged', { tags: 'deep' }, async () => {
	await start();
	await overpaid();
	const { qr } = await paper(1);
	await kiosk.crash(() => {
		const folder = join(kiosk.directory, 'journal');
		for (const name of readdirSync(folder)) if (name !== 'slip.key') rmSync(join(folder, name), { recursive: true });
	});
	expect(await verify(qr)).toMatchObject({ verdict: 'unknown', exit: 1, paper: null });
});

test('the codes of a receipt that the browser prints are genuine', async () => {
	await start({ settings: '' });
	const { id } = await kiosk.lookUp(SITI_PAID_BY_QRIS);
	const { body } = await kiosk.post('/kiosk/print', { id, of: 'invoice' });
	const { proof } = body.receipt as { proof: { code: string; text: string } };
	expect(await verify(proof.code)).toMatchObject({ verdict: 'genuine', exit: 0 });
	expect(await verify(proof.text)).toMatchObject({ verdict: 'genuine', paper: { kind: 'receipt' } });
});

test('a page can check receipts only after the PIN', async () => {
	kiosk = await open();
	expect(await kiosk.post('/kiosk/staff/slip', { code: '' })).toMatchObject({ status: 403 });
});
