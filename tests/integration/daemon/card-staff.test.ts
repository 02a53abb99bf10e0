import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceOf } from '@kiosk/contract/reference';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saleShown, tapCard, terminalReady } from '../../support/card.ts';
import { type Kiosk, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const BY = ['--by', 'Sari', '--why', 'end of day', '--yes'];

let kiosk: Kiosk;
let screen: Screen;
let invoice: Record<string, unknown>;
beforeEach(async () => {
	kiosk = await startKiosk({ edc: { lines: 'ack_ms = 500\nanswer_ms = 1500\nqris = true\nqris_first_ms = 1000\nqris_every_ms = 1000\n' } });
	await visit();
});
afterEach(() => kiosk.stop());

async function visit(): Promise<void> {
	screen = await kiosk.screen();
	await terminalReady(screen);
	invoice = await kiosk.lookUp(BUDI);
}

const begin = (more: object = {}) =>
	screen.send({
		message: {
			type: 'payment_edc_bca_notification',
			event: 'start_transaction',
			data: { amount: invoice.total, id: invoice.id, ...more },
		},
	});
const phase = (wanted: string) => saleShown(screen, wanted);
const bank = () => kiosk.edc.terminal.bank;

/** Sells the whole invoice by card. @returns the sale's reference */
async function sell(): Promise<string> {
	begin();
	await tapCard(kiosk);
	await phase('approved');
	return referenceOf(String(screen.of('kiosk_edc_sale').at(-1)?.attempt_id));
}

test('staff can send an echo test, list and reprint sales, and void a sale, which returns the charge once', async () => {
	expect(await kiosk.ctl('edc', 'echo')).toMatchObject({ code: 0, out: expect.stringContaining('The terminal answers') });
	const attempt = await sell();
	expect((await kiosk.ctl('edc', 'unsettled')).out).toMatch(new RegExp(`1 approved sale.*Rp 137\\.500\\n.*${attempt}.*INV/2026/11/0042`));
	expect((await kiosk.ctl('edc', 'reprint', attempt)).out).toContain('Rp 137.500');
	expect(await kiosk.ctl('edc', 'void', attempt)).toEqual({
		code: 1,
		out: 'Give the name of the person who decides, and the reason: --by NAME --why TEXT\n',
	});
	expect(await kiosk.ctl('edc', 'void', attempt, '--by', 'Sari', '--why', 'x')).toMatchObject({
		code: 1,
		out: expect.stringContaining('--yes'),
	});
	expect(bank().captured).toBe(137_500);
	expect((await kiosk.ctl('edc', 'void', attempt, ...BY)).out).toContain('Rp 137.500 is given back');
	expect(bank().captured).toBe(0);
	expect((await kiosk.ctl('edc', 'unsettled')).out).toContain('0 approved sale(s)');
	expect(await kiosk.ctl('edc', 'void', attempt, ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('voided') });
});

test('a charge that staff gave back in cash cannot be voided', async () => {
	const attempt = await sell();
	const given = await kiosk.ctl('cash', 'give-back', String(invoice.noinvoice), '--all', ...BY);
	expect(given).toMatchObject({ code: 0 });
	const voided = await kiosk.ctl('edc', 'void', attempt, ...BY);
	expect(voided).toMatchObject({ code: 1, out: expect.stringContaining('was given back already, and this kiosk holds Rp 0 for it') });
	expect(bank().captured).toBe(137_500);
});

test('a settlement shows the totals of terminal and journal, and afterwards the terminal refuses a void', { tags: 'deep' }, async () => {
	const attempt = await sell();
	expect((await kiosk.ctl('edc', 'settlement', ...BY)).out).toContain('it reports Rp 137.500, the journal has 1 sale(s), Rp 137.500');
	expect((await kiosk.ctl('edc', 'unsettled')).out).toContain('0 approved sale(s)');
	expect(await kiosk.ctl('edc', 'void', attempt, ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('declined the request') });
});

test('staff can send neither an echo test nor a settlement during a sale', async () => {
	// The sale must last longer than two runs of kioskctl.
	await kiosk.crash(undefined, (settings) => settings.replace('answer_ms = 1500', 'answer_ms = 60000'));
	await visit();
	begin();
	await phase('acked');
	for (const command of ['echo', 'settlement']) {
		expect(await kiosk.ctl('edc', command, ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('a customer is paying') });
	}
	expect(kiosk.edc.terminal.waiting).not.toBeNull();
});

test('kioskctl explains an invalid or missing attempt id and a missing outcome', { tags: 'deep' }, async () => {
	expect((await kiosk.ctl('edc', 'void', 'ffffffff', ...BY)).out).toContain('no sale begins with ffffffff');
	expect((await kiosk.ctl('edc', 'reprint')).out).toContain('Which sale?');
	expect((await kiosk.ctl('edc', 'settle', 'ffffffff', ...BY)).out).toContain('--outcome charged or --outcome not-charged');
	expect((await kiosk.ctl('edc', 'unknown')).out).toContain('No card sale is unknown.');
	expect((await kiosk.ctl('edc', 'fly')).code).toBe(2);
});

test('health and metrics show the terminal, approved sales and unknown sales', { tags: 'deep' }, async () => {
	await sell();
	const health = await kiosk.health();
	expect(health.parts).toContainEqual(expect.objectContaining({ part: 'card', state: expect.stringMatching(/ok|warn/) }));
	const metrics = await (await fetch(`${kiosk.daemon.service}/metrics`)).text();
	expect(metrics).toContain('kiosk_card_sales{state="approved"} 1');
	expect(metrics).toContain('kiosk_card_sales{state="unknown"} 0');
	kiosk.edc.terminal.setMode('silent_after_ack');
	await kiosk.lookUp('081200000013');
	begin({ id: 14, amount: 137_500 });
	await phase('unknown');
	const text = await (await fetch(`${kiosk.daemon.service}/health`, { headers: { Accept: 'text/plain' } })).text();
	expect(text).toContain('Card sales to settle:');
	expect(text).toMatch(/Rp 137500 {2}INV\/2026\/11\/0055/);
});

test('a QR code on the terminal counts as paid only when the terminal confirms the payment', { tags: 'deep' }, async () => {
	begin({ method: 'qris' });
	await until(() => expect(bank().qrisCodes).toHaveLength(1));
	await phase('acked');
	await until(() => expect(kiosk.edc.trace.filter(({ what }) => what === '155 bytes').length).toBeGreaterThan(1));
	expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase: 'acked' });
	bank().endQris('paid');
	await phase('approved');
	await until(() => expect(kiosk.backOffice.books.approvals).toMatchObject([{ no_invoice: 'INV/2026/11/0042', repeats: 0 }]));
});

test('journal and log contain neither the outlet token nor a card number', { tags: 'deep' }, async () => {
	// The simulated terminal masks card numbers itself, but not the account numbers of customers who
	// pay by QR code.
	begin({ method: 'qris' });
	await until(() => expect(bank().qrisCodes).toHaveLength(1));
	bank().endQris('paid');
	await phase('approved');
	await until(() => expect(kiosk.daemon.events('card.approval_sent')).toHaveLength(1));
	const folder = join(kiosk.directory, 'journal');
	const written = [
		...readdirSync(folder).map((file) => (file.startsWith('journal') ? readFileSync(join(folder, file), 'latin1') : '')),
		JSON.stringify(kiosk.daemon.log),
	];
	const outlet = JSON.parse(readFileSync(join(folder, 'outlet-token.json'), 'utf8')) as { token: string };
	expect(written.some((text) => text.includes('936000*********3456'))).toBe(true);
	for (const text of written) {
		for (const secret of [outlet.token, kiosk.token()]) expect(text.includes(secret)).toBe(false);
		// The pattern skips hexadecimal hashes and ids, which may contain as many digits in a row as a
		// card number.
		expect(text).not.toMatch(/(?<![\da-f])\d{16,19}(?![\da-f])/);
	}
});
