// @module-tag deep
/** The terminal charges another amount than the kiosk asked for, and staff settle the sale. */
import type { StaffCases } from '@kiosk/contract/staff-cases';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { aroundLyingOffice, customer, kiosk, lookUp, newScreen, of, office, payByCard, phases, print, sell, tap } from './lying-kiosk.ts';

aroundLyingOffice();

const BY = ['--by', 'Sari', '--why', 'slip'];

test.each([
	['101,000', 1_000],
	['1,000', -99_000],
])('an invoice of 100,000 is not paid by a charge of %s; the charge is voided, and the customer pays once', async (_what, beyond) => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await lookUp(hp);
	kiosk.edc.terminal.setMode('wrong_amount', { beyond });
	sell(invoice, 100_000);
	await tap();
	await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
	kiosk.edc.terminal.setMode('normal');
	const attempt = String(of('card.sent', invoice).at(-1)?.attempt_id);

	const settle = (outcome: string) => kiosk.ctl('edc', 'settle', attempt.slice(0, 8), '--outcome', outcome, ...BY);
	const charged = `the terminal charged Rp ${100_000 + beyond}, not Rp 100000`;
	expect(await settle('charged')).toMatchObject({ code: 1, out: expect.stringContaining(charged) });
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	const answer = await fetch(`${kiosk.daemon.url}/kiosk/staff/cases`, { headers: kiosk.session() });
	const one = ((await answer.json()) as StaffCases).cases.find(({ id }) => id === attempt);
	expect(one?.heard).toBe('Mesin EDC menyetujui jumlah lain.');
	const wish = { kind: 'sale', id: attempt, amount: one?.amount, decision: 'charged', nominal: null, by: 'Sari', second: null };
	expect(await kiosk.post('/kiosk/staff/cases', wish)).toMatchObject({ status: 409, body: { code: 'other_amount' } });
	expect(await print(invoice)).toMatchObject({ status: 409 });

	// The void is repeated, because the terminal counts as busy until its answer to the sale is
	// overdue.
	await until(async () => expect(await kiosk.ctl('edc', 'void', attempt.slice(0, 8), ...BY, '--yes')).toMatchObject({ code: 0 }));
	expect(kiosk.edc.terminal.bank.transactions.at(-1)).toMatchObject({ voided: true });
	await newScreen();
	await lookUp(hp);
	await payByCard(invoice, 100_000);
	await until(() => expect(office.approvals.splice(0)).toMatchObject([{ json_success_payment: { amount: 100_000 } }]));
	expect((await kiosk.health()).card).toMatchObject({ unknown: [], twice: [] });
});

test('if the terminal approves Rp 0 and staff settle the sale as charged, the whole amount is reported', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await lookUp(hp);
	kiosk.edc.terminal.setMode('wrong_amount', { beyond: -100_000 });
	sell(invoice, 100_000);
	await tap();
	await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
	kiosk.edc.terminal.setMode('normal');
	const attempt = String(of('card.sent', invoice).at(-1)?.attempt_id);
	expect(await kiosk.ctl('edc', 'settle', attempt.slice(0, 8), '--outcome', 'charged', ...BY)).toMatchObject({ code: 0 });
	await until(() => expect(office.approvals.splice(0)).toMatchObject([{ json_success_payment: { amount: 100_000 } }]));
	expect(await lookUp(hp)).toMatchObject({ body: { results: { is_paid: true, list_pembayaran: [{ nominal: 100_000 }] } } });
});

test('after a charge of another amount, staff can settle the sale as charged only if they state the sale’s amount, and kioskctl does not void the charge', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await lookUp(hp);
	kiosk.edc.terminal.setMode('wrong_amount', { beyond: -50_000 });
	sell(invoice, 100_000);
	await tap();
	await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
	kiosk.edc.terminal.setMode('normal');
	const attempt = String(of('card.sent', invoice).at(-1)?.attempt_id);
	const settle = (...more: string[]) => kiosk.ctl('edc', 'settle', attempt.slice(0, 8), '--outcome', 'charged', ...more, ...BY);
	for (const more of [[], ['--amount', '50000']])
		expect(await settle(...more)).toMatchObject({ code: 1, out: expect.stringContaining('add --amount 100000') });
	expect(await settle('--amount', '100.000')).toMatchObject({ code: 0 });
	await until(() => expect(office.approvals).toHaveLength(1));
	const [{ json_success_payment: told } = {}] = office.approvals.splice(0);
	expect(told).toEqual({ attempt_id: attempt, id: invoice.id, type: 'sale', respCode: '00', amount: 100_000, settled_by_staff: true });
	// The kiosk cannot void the sale, because the number in the terminal's answer belongs to the
	// other charge.
	await until(async () => {
		const { out } = await kiosk.ctl('edc', 'void', attempt.slice(0, 8), ...BY, '--yes');
		expect(out).toContain('look for its slip and use the terminal itself');
	});
	expect(kiosk.edc.terminal.bank.transactions.at(-1)).toMatchObject({ amount: 50_000, voided: false });
});
