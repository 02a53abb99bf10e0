// @module-tag deep
/** Two supervisors decide about the money of one invoice at the same moment: on two pages, and with kioskctl. */
import { join } from 'node:path';
import type { StaffCase } from '@kiosk/contract/staff-cases';
import { beforeAll, expect, test } from 'vitest';
import { askDaemon } from '../../../daemon/src/staff/ask-daemon.ts';
import { staffSocketPath } from '../../../daemon/src/staff/staff-socket.ts';
import { until } from '../../support/until.ts';
import { aroundLyingOffice, close, customer, kiosk, lookUp, newScreen, of, pay, phases, sell, told } from './lying-kiosk.ts';

aroundLyingOffice();

const BY = { by: 'Sari', why: 'x' };
const WHO = ['--by', 'Sari', '--why', 'test', '--yes'];

beforeAll(async () => {
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Dewi', role: 'supervisor', by: 'Sari', code: null });
});

async function ask<T>(method: string, path: string, body: object | null = null) {
	const asked = await askDaemon(staffSocketPath(join(kiosk.directory, 'journal')), method, path, body, 'application/json');
	if (!asked.ok) throw new Error(asked.message);
	return { status: asked.status, body: JSON.parse(asked.text) as T };
}

/** @returns what kioskctl shows about the invoice before it asks the person to confirm */
const shown = async (noinvoice: string) =>
	(await ask<{ held: number; settled: boolean }>('GET', `/money/invoice/${encodeURIComponent(noinvoice)}`)).body;

async function caseOf(noinvoice: string): Promise<StaffCase> {
	await kiosk.staff();
	const answer = await fetch(`${kiosk.daemon.url}/kiosk/staff/cases`, { headers: kiosk.session() });
	const { cases } = (await answer.json()) as { cases: StaffCase[] };
	const found = cases.find((one) => one.noinvoice === noinvoice);
	if (!found) throw new Error(`no case of ${noinvoice}`);
	return found;
}
const decide = ({ kind, id, amount }: StaffCase, decision: string, by = 'Sari') =>
	kiosk.post('/kiosk/staff/cases', { kind, id, amount, decision, nominal: null, by, second: null });
const givenBack = ({ noinvoice }: { noinvoice: string }) =>
	kiosk.daemon.events('cash.given_back').filter(({ invoice }) => invoice === noinvoice);

/** @returns an invoice of which 50,000 was paid and whose customer left */
async function partlyPaid() {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await told();
	return invoice;
}

test('the same money goes back once, although two pages and kioskctl give it at the same moment', async () => {
	const invoice = await partlyPaid();
	const [one, now] = [await caseOf(invoice.noinvoice), await shown(invoice.noinvoice)];
	const wish = {
		action: 'give_back',
		invoice: invoice.noinvoice,
		amount: 50_000,
		held: now.held,
		settled: now.settled,
		whole: true,
		...BY,
	};
	const answers = await Promise.all([
		decide(one, 'given'),
		decide(one, 'given', 'Dewi'),
		ask('POST', '/money', wish),
		ask('POST', '/money', wish),
	]);
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
	expect(givenBack(invoice)).toHaveLength(1);
});

test('kioskctl gives no money back that the screen has just settled as paid elsewhere', async () => {
	const invoice = await partlyPaid();
	const [one, now] = [await caseOf(invoice.noinvoice), await shown(invoice.noinvoice)];
	const wish = {
		action: 'give_back',
		invoice: invoice.noinvoice,
		amount: 50_000,
		held: now.held,
		settled: now.settled,
		whole: true,
		...BY,
	};
	expect(await decide(one, 'rest_elsewhere')).toMatchObject({ status: 200 });
	expect(await ask('POST', '/money', wish)).toMatchObject({ status: 409, body: { code: 'changed' } });
	expect(givenBack(invoice)).toEqual([]);
	// A person who sees that it is settled can still undo the payment.
	expect(await shown(invoice.noinvoice)).toMatchObject({ held: 50_000, settled: true });
	expect(await kiosk.ctl('cash', 'give-back', invoice.noinvoice, '--all', ...WHO)).toMatchObject({ code: 0 });
});

test('a card charge is not voided if its invoice’s money has just gone back in cash', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await lookUp(hp);
	sell(invoice, 100_000);
	await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
	const attempt = String(of('card.sent', invoice).at(-1)?.attempt_id);
	const settle = (outcome: string) => kiosk.ctl('edc', 'settle', attempt.slice(0, 8), '--outcome', outcome, ...WHO.slice(0, 4));
	expect(await settle('not-charged')).toMatchObject({ code: 0 });
	await kiosk.openCash(hp);
	await pay(100_000);
	await close(invoice);
	await until(() => expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true));
	await until(async () => expect((await kiosk.health()).card.unknown).toHaveLength(1));
	expect(await settle('charged')).toMatchObject({ code: 0 });
	const one = await caseOf(invoice.noinvoice);
	expect(one).toMatchObject({ kind: 'twice', amount: 100_000 });
	const sale = (await ask<{ held: number }>('GET', `/edc/sale/${attempt}`)).body;
	expect(await decide(one, 'given')).toMatchObject({ status: 200 });
	const wish = { action: 'void', attempt, held: sale.held, ...BY };
	expect(await ask('POST', '/edc', wish)).toMatchObject({ status: 409, body: { code: 'changed' } });
	expect(kiosk.edc.terminal.bank.transactions.map(({ voided }) => voided)).toEqual([false]);
	// A person who sees what the kiosk holds now can still undo the payment.
	expect(await kiosk.ctl('edc', 'void', attempt.slice(0, 8), ...WHO)).toMatchObject({ code: 0 });
});
