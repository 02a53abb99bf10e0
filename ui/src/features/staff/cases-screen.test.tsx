// @vitest-environment happy-dom
import { rupiah } from '@kiosk/contract/money';
import type { StaffCase } from '@kiosk/contract/staff-cases';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { answered } from '../../lib/test-data.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { text } from '../../text/screens.ts';
import CasesScreen from './cases-screen.tsx';

afterEach(cleanup);

const twice = (amount: number): StaffCase => ({
	kind: 'twice',
	id: 'INV/42',
	amount: rupiah(amount),
	noinvoice: 'INV/42',
	time: '',
	heard: '',
});
const open = async (one: StaffCase, more: Partial<Api> = {}) => {
	const staffCases = async () => answered({ cases: [one], two_names_above: rupiah(500_000), nominals: [] });
	draw(storeWith({ staffCases, ...more }).store, <CasesScreen />);
	const listed = await screen.findByRole('button', { name: /Dibayar dua kali/ });
	const words = listed.textContent;
	fireEvent.click(listed);
	return words;
};

test('if an invoice was paid twice but the kiosk holds none of the money, the screen does not tell staff to give back Rp 0', async () => {
	expect(await open(twice(0))).toContain('Uang tidak di kiosk');
	expect(screen.getByText(/Uangnya diterima di tempat lain/)).toBeTruthy();
	expect(screen.getByRole('button', { name: 'Sudah diselesaikan di tempat lain' })).toBeTruthy();
	expect(document.body.textContent).not.toMatch(/Rp 0|dari kas/);
});

test('if the kiosk holds the money of a double payment, the screen shows the amount and tells staff to give it back', async () => {
	expect(await open(twice(50_000))).toContain('Rp 50.000');
	expect(screen.getByRole('button', { name: 'Berikan uang' })).toBeTruthy();
	expect(document.body.textContent).toContain('dari kas');
});

const noCases = { cases: [], two_names_above: rupiah(500_000), nominals: [] };
const sari = { name: 'Sari', role: 'supervisor', code: 'none' } as const;
const staffNames = async () => answered({ people: [sari], needs_codes: false, needs_supervisor: true, lost: null });

test('the screen tells staff to hand money over only after the decision is recorded', async () => {
	const decided: unknown[] = [];
	await open(twice(50_000), {
		staffNames,
		decideCase: async (wish) => {
			decided.push(wish);
			return answered(noCases);
		},
	});
	for (const name of ['Berikan uang', 'Ya, catat', /^Sari/]) {
		expect(screen.queryByText(/Serahkan Rp/)).toBeNull();
		fireEvent.click(await screen.findByRole('button', { name }));
	}
	expect(await screen.findByText('Tercatat. Serahkan Rp 50.000 kepada pelanggan.')).toBeTruthy();
	expect(decided).toMatchObject([{ decision: 'given', by: 'Sari', second: null }]);
});

test('while a decision is being recorded, its case cannot be chosen again', async () => {
	const recorded = Promise.withResolvers<void>();
	await open(twice(50_000), { staffNames, decideCase: () => recorded.promise.then(() => answered(noCases)) });
	for (const name of ['Berikan uang', 'Ya, catat', /^Sari/]) fireEvent.click(await screen.findByRole('button', { name }));
	expect(await screen.findByText(text.waiting)).toBeTruthy();
	expect(screen.queryByRole('button')).toBeNull();
	recorded.resolve();
	expect(await screen.findByText(/^Tercatat/)).toBeTruthy();
});
