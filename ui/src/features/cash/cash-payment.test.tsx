// @vitest-environment happy-dom

import type { LiveText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { Layout } from '../../components/layout.tsx';
import type { Api } from '../../lib/api.ts';
import { answered, invoiceInfo } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { socketClosed, socketOpened } from '../../state/connection.ts';
import { applyLive } from '../../state/live-events.ts';
import { draw, storeWith, stubResizeObserver } from '../../state/test-store.tsx';
import { pass, timedScreens, where } from '../../state/timed-screen.fixture.ts';
import CashScreen from './cash-payment.tsx';

timedScreens();
beforeEach(() => {
	writeHp('0812');
	stubResizeObserver();
});

const rows = () => screen.getAllByRole('row').map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent));
/** @returns the amount beside a label */
const amountOf = (name: string) => screen.getByText(name, { selector: 'span' }).nextElementSibling?.textContent;

/**
 * The cash screen of an invoice of Rp 137.500.
 * @param paper why no receipt can be expected; null if one can
 */
async function cash(answers: Partial<Api> = {}, paper: string | null = null) {
	const made = storeWith(answers);
	const hear = (text: LiveText) => act(() => void made.store.dispatch(applyLive(text)));
	made.store.dispatch(socketOpened());
	hear({ type: 'kiosk_printer', trouble: paper });
	draw(made.store, <CashScreen />, '/cash-payment');
	await pass();
	return {
		...made,
		hear,
		note: (nominal: number, note_id: string, time = '2026-11-21T14:31:08+07:00') =>
			hear({ type: 'payment_cash_notification', id: 42, note_id, nominal: rupiah(nominal), time }),
	};
}

test('[spec 2.6.1] the screen shows whether the acceptor is ready, and whether the kiosk is online', async () => {
	const { hear, store } = await cash();
	cleanup();
	// The layout around the cash screen shows the connection.
	draw(
		store,
		<Routes>
			<Route element={<Layout variant="visit" />}>
				<Route path="/cash-payment" element={<CashScreen />} />
			</Route>
		</Routes>,
		'/cash-payment',
	);
	await pass();
	expect(screen.queryByText('Ready')).toBeNull();
	expect(screen.getByText('Offline')).toBeTruthy();
	hear({ type: 'machine_ready', is_ready: true, state: 'ready', ict_text: 'Ready' });
	hear({ type: 'connection', is_connected: true });
	expect(screen.getByText('Ready')).toBeTruthy();
	expect(screen.getByText('Online')).toBeTruthy();
	act(() => void store.dispatch(socketClosed()));
	expect(screen.queryByText('Ready')).toBeNull();
	expect(screen.getByText('Offline')).toBeTruthy();
});

test('[spec 2.6.3] every note adds a row and raises the total: Kurang Bayar until the invoice is covered, then Lebih Bayar', async () => {
	const { note } = await cash();
	expect([amountOf('Total diterima'), amountOf('Total Invoice'), amountOf('Kurang Bayar')]).toEqual(['Rp 0', 'Rp 137.500', 'Rp 137.500']);
	note(100_000, 'a');
	expect([amountOf('Total diterima'), amountOf('Kurang Bayar')]).toEqual(['Rp 100.000', 'Rp 37.500']);
	note(50_000, 'b');
	expect(rows()).toEqual([
		['#', 'Penerimaan', 'Waktu', 'Jumlah'],
		['1', 'Terima 1', '14:31:08', 'Rp 100.000'],
		['2', 'Terima 2', '14:31:08', 'Rp 50.000'],
	]);
	expect([amountOf('Total diterima'), amountOf('Lebih Bayar')]).toEqual(['Rp 150.000', 'Rp 12.500']);
	expect(screen.queryByText('Kurang Bayar')).toBeNull();
});

test('[spec 2.6.3] if exactly the total was received, the screen shows Lebih Bayar Rp 0', async () => {
	const { note } = await cash();
	note(137_500, 'a');
	expect(amountOf('Lebih Bayar')).toBe('Rp 0');
});

test('[spec 2.6.2] entering the screen and Reload Mesin open the acceptor; until it is open, the button shows Waiting..', async () => {
	let go = (): void => undefined;
	const gate = () =>
		new Promise<void>((done) => {
			go = done;
		});
	const { calls } = await cash({
		openMachine: async () => {
			await gate();
			return answered({ machine_ready: true, message: 'Ready', entries: [], is_paid: false });
		},
	});
	const opened = () => calls.filter((call) => call === 'openMachine').length;
	expect([opened(), screen.queryByText('Reload Mesin')]).toEqual([1, null]);
	expect(screen.getByText('Waiting..')).toBeTruthy();
	go();
	await pass();
	fireEvent.click(screen.getByRole('button', { name: 'Reload Mesin' }));
	await pass();
	expect(opened()).toBe(2);
	expect(screen.getByText('Waiting..')).toBeTruthy();
	go();
	await pass();
	expect(screen.getByText('Reload Mesin')).toBeTruthy();
});

test('[spec 2.6.5] Kembali leads home when no money is inside', async () => {
	await cash();
	fireEvent.click(screen.getByRole('button', { name: 'Kembali' }));
	await pass();
	expect(where()).toBe('/');
});

test('if a note is in doubt, Kembali asks a question that names the note', async () => {
	const { hear } = await cash();
	hear({ type: 'machine_ready', is_ready: true, state: 'ready', ict_text: 'Ready' });
	hear({ type: 'kiosk_note_in_doubt', id: 42, note_id: '7f3a9c2e-1111', nominal: rupiah(50_000) });
	expect(screen.queryByText('Belum ada uang yang diterima')).toBeNull();
	fireEvent.click(screen.getByRole('button', { name: 'Kembali' }));
	await pass();
	expect(where()).toBe('/cash-payment');
	const question = screen.getByRole('dialog').textContent;
	expect(question).toContain('Uang Rp 50.000 belum pasti, hubungi staf. Nomor rujukan 21345-47502.');
	expect(question).not.toContain('Rp 0');
	fireEvent.click(screen.getByRole('button', { name: 'Ya, kembali' }));
	await pass();
	expect(where()).toBe('/');
});

test.each(['bill_jam', 'motor_failure', 'stacker_problem'] as const)(
	'in the state %s a note may be inside the acceptor, so Kembali asks first, and the idle question opens later',
	async (state) => {
		const { hear } = await cash();
		hear({ type: 'machine_ready', is_ready: false, state, ict_text: state });
		await pass(85_000);
		expect([where(), screen.queryByRole('dialog')]).toEqual(['/cash-payment', null]);
		fireEvent.click(screen.getByRole('button', { name: 'Kembali' }));
		await pass();
		expect(where()).toBe('/cash-payment');
		expect(screen.getByRole('dialog').textContent).toContain('hubungi staf sebelum pergi');
		fireEvent.click(screen.getByRole('button', { name: 'Tetap di sini' }));
		expect(screen.queryByRole('dialog')).toBeNull();
		fireEvent.click(screen.getByRole('button', { name: 'Kembali' }));
		fireEvent.click(screen.getByRole('button', { name: 'Ya, kembali' }));
		await pass();
		expect(where()).toBe('/');
	},
);

test('when a moving note jams, the screen no longer says that the note is being processed', async () => {
	const { hear } = await cash();
	hear({ type: 'kiosk_note_moving', id: 42, nominal: rupiah(50_000) });
	expect(screen.getByText('Sedang diproses…')).toBeTruthy();
	hear({ type: 'machine_ready', is_ready: false, state: 'bill_jam', ict_text: 'Jam' });
	expect(screen.queryByText('Sedang diproses…')).toBeNull();
	expect(screen.getByText('Belum pasti')).toBeTruthy();
});

test('[spec 2.5.6] a payment_notification replaces the cash screen by the paid screen with Lunas, Cetak and Kembali', async () => {
	const { hear } = await cash();
	hear({ type: 'payment_notification', id: 42, is_paid: true });
	expect(screen.getByRole('img', { name: 'Lunas' })).toBeTruthy();
	expect(screen.getByRole('button', { name: 'Cetak' })).toBeTruthy();
	expect(screen.getByRole('button', { name: 'Kembali' })).toBeTruthy();
	expect(screen.queryByText('Reload Mesin')).toBeNull();
});

const READY: LiveText = { type: 'machine_ready', is_ready: true, state: 'ready', ict_text: 'Ready' };
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name, hidden: true }));

test('if the printer has no paper, the screen first asks whether to continue; Lanjut opens the acceptor, Batal leads home', async () => {
	const { calls } = await cash({}, 'paper_out');
	expect(screen.getByText('Struk tidak tersedia')).toBeTruthy();
	expect(screen.getByText(/kertas habis/)).toBeTruthy();
	expect(calls).not.toContain('openMachine');
	press('Lanjut');
	await pass();
	expect(calls).toContain('openMachine');
	expect(screen.queryByText('Struk tidak tersedia')).toBeNull();
	cleanup();
	const other = await cash({}, 'paper_out');
	press('Batal');
	await pass();
	expect(where()).toBe('/');
	expect(other.calls).not.toContain('openMachine');
});

test('the question about missing paper closes when the printer works again or a note is inserted; a new printer fault opens it again', async () => {
	const { hear, note, calls } = await cash({}, 'paper_out');
	hear({ type: 'kiosk_printer', trouble: null });
	await pass();
	expect(screen.queryByText('Struk tidak tersedia')).toBeNull();
	expect(calls).toContain('openMachine');
	hear(READY);
	expect(screen.getByText('Ready')).toBeTruthy();
	hear({ type: 'kiosk_printer', trouble: 'cover_open' });
	expect(screen.getByText('Struk tidak tersedia')).toBeTruthy();
	expect(screen.queryByText('Ready')).toBeNull();
	note(50_000, 'a');
	expect(screen.queryByText('Struk tidak tersedia')).toBeNull();
});

test('when a customer leaves while money is inside, the screen announces a slip only if the printer works', async () => {
	const { hear, note } = await cash();
	const slip = () => screen.queryByText(/Struk bukti uang diterima akan dicetak/);
	hear(READY);
	note(50_000, 'a');
	press('Kembali');
	expect(slip()).toBeTruthy();
	hear({ type: 'kiosk_printer', trouble: 'paper_out' });
	expect(slip()).toBeNull();
});

test('a lost connection does not close the question about missing paper', async () => {
	const { calls, hear, store } = await cash({}, 'paper_out');
	act(() => void store.dispatch(socketClosed()));
	await pass();
	expect(screen.getByText('Struk tidak tersedia')).toBeTruthy();
	act(() => void store.dispatch(socketOpened()));
	await pass();
	expect([screen.queryAllByText('Struk tidak tersedia').length, calls.includes('openMachine')]).toEqual([1, false]);
	hear({ type: 'kiosk_printer', trouble: null });
	await pass();
	expect([screen.queryAllByText('Struk tidak tersedia').length, calls.includes('openMachine')]).toEqual([0, true]);
});

test('if a note of the invoice is in doubt, it is shown with its reference before the acceptor opens', async () => {
	const kiosk_doubts = [{ note_id: '7f3a9c2e-1111', nominal: 50_000 }];
	const { calls, hear } = await cash({ invoiceInfo: async () => answered(invoiceInfo({ kiosk_doubts })) });
	expect(screen.getByText(/Satu lembar Rp 50\.000 untuk invoice ini belum pasti.*21345-47502/)).toBeTruthy();
	hear(READY);
	expect([screen.queryByText('Ready'), calls.includes('openMachine')]).toEqual([null, false]);
	press('Lanjut');
	await pass();
	expect(screen.getByText('Ready')).toBeTruthy();
	expect(calls).toContain('openMachine');
});

test('after a restart of the daemon a note in doubt is shown before the acceptor opens again', async () => {
	const kiosk_doubts = [{ note_id: '7f3a9c2e-1111', nominal: 50_000 }];
	let doubts: typeof kiosk_doubts = [];
	const { calls, hear, store } = await cash({ invoiceInfo: async () => answered(invoiceInfo({ kiosk_doubts: doubts })) });
	hear(READY);
	hear({ type: 'kiosk_note_moving', id: 42, nominal: rupiah(50_000) });
	act(() => void store.dispatch(socketClosed()));
	doubts = kiosk_doubts;
	calls.length = 0;
	act(() => void store.dispatch(socketOpened()));
	await pass();
	expect(screen.getByText(/Satu lembar Rp 50\.000 untuk invoice ini belum pasti.*21345-47502/)).toBeTruthy();
	expect(calls).not.toContain('openMachine');
	press('Lanjut');
	await pass();
	expect(calls).toContain('openMachine');
});

test('after a restart of the daemon the screen opens the acceptor again, even if the back office is slow', async () => {
	let answers = true;
	const { calls, store } = await cash({ invoiceInfo: () => (answers ? Promise.resolve(answered(invoiceInfo())) : new Promise(() => {})) });
	answers = false;
	act(() => void store.dispatch(socketClosed()));
	calls.length = 0;
	act(() => void store.dispatch(socketOpened()));
	await pass(3_000);
	expect(calls).toContain('openMachine');
});

test('if the acceptor takes notes again although enough was received, the screen looks up the invoice and shows the amount due', async () => {
	let total = 137_500;
	const { hear, note } = await cash({ invoiceInfo: async () => answered(invoiceInfo({ total })) });
	const machine = (state: 'ready' | 'inhibited') => hear({ type: 'machine_ready', is_ready: state === 'ready', state, ict_text: '' });
	machine('ready');
	note(150_000, 'n1');
	machine('inhibited');
	total = 200_000;
	await pass();
	expect(amountOf('Lebih Bayar')).toBe('Rp 12.500');
	machine('ready');
	await pass();
	expect(amountOf('Kurang Bayar')).toBe('Rp 50.000');
});
