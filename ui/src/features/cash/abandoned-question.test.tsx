// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { answered } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { acceptorReported } from '../../state/acceptor.ts';
import { noteInDoubt, noteMoving, noteReceived, noteReturned } from '../../state/cash.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { pass, timedScreens, where } from '../../state/timed-screen.fixture.ts';
import CashScreen from './cash-payment.tsx';

timedScreens();
beforeEach(() => writeHp('081234567890'));

const asked = () => screen.queryByRole('dialog')?.textContent ?? null;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const MINUTES = 60_000;
const note = (note_id: string, nominal = 50_000) => noteReceived({ note_id, nominal: rupiah(nominal), time: '' });

/**
 * Opens the cash screen with an open acceptor. When the customer leaves, the screen calls
 * `closeCash`.
 */
async function paying(answers: Partial<Api> = {}) {
	const kept = { entries: [], received: rupiah(50_000), is_paid: false, in_doubt: rupiah(0) };
	const { store, calls } = storeWith({ closeCash: async () => answered(kept), ...answers });
	store.dispatch(acceptorReported({ state: 'ready', is_ready: true }));
	draw(store, <CashScreen />, '/cash-payment');
	await pass(100);
	const say = (...[action]: Parameters<typeof store.dispatch>) => act(() => void store.dispatch(action));
	return { store, calls, say };
}
const closings = (calls: string[]) => calls.filter((call) => call === 'closeCash').length;

test('if no money is inside, the idle question opens after a minute; without an answer, the visit ends', async () => {
	const { calls } = await paying({
		closeCash: async () => answered({ entries: [], received: rupiah(0), is_paid: false, in_doubt: rupiah(0) }),
	});
	await pass(61_000);
	expect(asked()).toContain('Masih di sana?');
	await pass(20_500);
	expect(closings(calls)).toBe(1);
	expect(where()).toBe('/');
});

test('a note closes the idle question, and the outcome of the note restarts the minute before the next question', async () => {
	const { say } = await paying();
	await pass(60_100);
	expect(asked()).toContain('Masih di sana?');
	say(noteMoving(rupiah(50_000)));
	expect(asked()).toBeNull();
	say(noteReturned({ nominal: rupiah(50_000), reason: 'rejected_by_machine' }));
	expect(asked()).toBeNull();
	await pass(59_000);
	expect(asked()).toBeNull();
});

test('if money is inside, the question opens only after five minutes and shows amount and invoice; without an answer, it leads home a minute later', async () => {
	const { say, calls } = await paying();
	say(note('a'));
	await pass(4.9 * MINUTES);
	expect(asked()).toBeNull();
	await pass(0.2 * MINUTES);
	expect(asked()).toContain('Sudah 5 menit');
	expect(asked()).toContain('Masih ada uang Rp 50.000 yang tercatat untuk invoice INV/42.');
	expect(asked()).toContain('panggil staf');
	await pass(53_000);
	expect(where()).toBe('/cash-payment');
	await pass(7_000);
	expect(closings(calls)).toBe(1);
	expect(where()).toBe('/');
});

test('"Lanjut bayar" closes the question and leaves the screen unchanged', async () => {
	const { say, store, calls } = await paying();
	say(note('a'));
	const before = { cash: store.getState().cash, page: document.querySelector('main, body > div')?.innerHTML };
	await pass(5 * MINUTES + 1_000);
	press('Lanjut bayar');
	expect(asked()).toBeNull();
	expect(store.getState().cash).toBe(before.cash);
	expect(document.querySelector('main, body > div')?.innerHTML).toBe(before.page);
	expect(closings(calls)).toBe(0);
	await pass(5 * MINUTES + 1_000);
	expect(asked()).not.toBeNull();
});

test('if a note is inserted while the question is open, the question closes', async () => {
	const { say } = await paying();
	say(note('a'));
	await pass(5 * MINUTES + 1_000);
	say(note('b', 20_000));
	expect(asked()).toBeNull();
	await pass(4 * MINUTES);
	expect(asked()).toBeNull();
	await pass(2 * MINUTES);
	expect(asked()).toContain('Rp 70.000');
});

test('a returned note restarts the five minutes before the question', async () => {
	const { say } = await paying();
	say(note('a'));
	for (let minute = 0; minute < 8; minute += 4) {
		await pass(4 * MINUTES);
		say(noteReturned({ nominal: null, reason: 'unreadable' }));
	}
	expect(asked()).toBeNull();
});

test('if a note is in doubt, the question names its amount and reference', async () => {
	const { say } = await paying();
	say(noteInDoubt({ note_id: '7f3a9c2e-1111', nominal: rupiah(100_000) }));
	await pass(5 * MINUTES + 1_000);
	expect(asked()).toContain('Rp 100.000');
	expect(asked()).toContain('21345-47502');
});

test('no question is asked while a note moves', async () => {
	const { say } = await paying();
	say(note('a'));
	say(noteMoving(rupiah(20_000)));
	await pass(20 * MINUTES);
	expect(asked()).toBeNull();
});

test('if money arrives while an abandoned payment closes, the question opens again; without an answer, the visit ends', async () => {
	const more = { entries: [], received: rupiah(70_000), is_paid: false, in_doubt: rupiah(0) };
	const { say, calls } = await paying({
		closeCash: async () => answered({ ...more, entries: [{ note_id: 'c', nominal: rupiah(70_000), time: '' }] }),
	});
	say(note('a'));
	await pass(5.1 * MINUTES);
	await pass(1 * MINUTES);
	expect(asked()).toContain('Tinggalkan pembayaran ini?');
	expect(where()).toBe('/cash-payment');
	await pass(5.1 * MINUTES);
	await pass(1 * MINUTES);
	expect(closings(calls)).toBe(2);
	expect(where()).toBe('/');
});

test('the customer can leave while the invoice is loading', async () => {
	await paying({ invoiceInfo: () => new Promise(() => undefined) });
	press('Kembali');
	expect(where()).toBe('/');
});
