// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { invoiceInfo } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { machineAsked, noteReceived, noteReturned } from '../../state/cash.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { paymentDone, printRefused, printReported } from '../../state/paid.ts';
import { printerHeard } from '../../state/printer.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { pass, timedScreens, where } from '../../state/timed-screen.fixture.ts';
import { visitEnded } from '../../state/visit.ts';
import { PaidView } from './paid-panel.tsx';

const detail = customerDetailOf(invoiceInfo());

timedScreens();

function paid(how: 'fresh' | 'before', answers: Partial<Api> = {}) {
	const { store, calls } = storeWith(answers);
	store.dispatch(invoiceFound(detail));
	store.dispatch(machineAsked({ id: 42, known: [] }));
	store.dispatch(noteReceived({ note_id: 'a', nominal: rupiah(150_000), time: '' }));
	store.dispatch(paymentDone({ id: '42', how }));
	return { store, calls, view: () => draw(store, <PaidView detail={detail} how={how} />, '/cash-payment') };
}
const prints = (calls: string[]) => calls.filter((call) => call === 'print').length;

test('[spec 4.13, 9.10] the receipt prints after 2 s, and the kiosk goes home after 6 s', async () => {
	const { calls, view } = paid('fresh');
	view();
	await pass(1_990);
	expect(prints(calls)).toBe(0);
	await pass(20);
	expect(prints(calls)).toBe(1);
	await pass(3_980);
	expect(where()).toBe('/cash-payment');
	await pass(20);
	expect(where()).toBe('/');
});

test('[spec 2.5.7] the receipt prints automatically only once, even if the view is drawn again; Cetak prints it again', async () => {
	const { store, calls, view } = paid('fresh');
	const first = view();
	await pass(2_100);
	store.dispatch(printReported({ print_id: 'p1', state: 'done', reason: null }));
	first.unmount();
	view();
	await pass(3_000);
	expect(prints(calls)).toBe(1);
	fireEvent.click(screen.getByRole('button', { name: 'Cetak' }));
	await pass(10);
	expect(prints(calls)).toBe(2);
});

test('a payment that completes the invoice closes the acceptor; if the invoice was paid before, nothing is closed', async () => {
	for (const how of ['fresh', 'before'] as const) {
		const { calls, view } = paid(how);
		view().unmount();
		await pass(10);
		expect(calls.includes('closeCash')).toBe(how === 'fresh');
	}
});

test('if a note is returned while the paid screen is shown, the screen asks the customer to take it', async () => {
	const { store, view } = paid('fresh');
	view();
	await pass(100);
	expect(store.getState().alert.show).toBe(false);
	act(() => void store.dispatch(noteReturned({ nominal: rupiah(20_000), reason: 'closing' })));
	await pass(100);
	expect(store.getState().alert).toMatchObject({ show: true, text: 'Uang dikembalikan, ambil uang Anda.', color: 'warning' });
});

test('[spec 4.13] after a failed print, the screen stays longer than 6 s', async () => {
	const { store, view } = paid('fresh');
	view();
	await pass(2_100);
	act(() => void store.dispatch(printReported({ print_id: 'p1', state: 'failed', reason: 'paper_out' })));
	await pass(6_000);
	expect(screen.getByText(/kertas habis/)).toBeTruthy();
	expect(screen.getByText(/tetap tercatat lunas/)).toBeTruthy();
	expect(where()).toBe('/cash-payment');
	await pass(30_000);
	expect(where()).toBe('/');
});

test('[spec 7.10] after a payment, the invoice is looked up again before the receipt prints', async () => {
	writeHp('0812');
	const { calls, view } = paid('fresh');
	view();
	await pass(10);
	expect(calls).toContain('invoiceInfo');
	expect(prints(calls)).toBe(0);
});

const TAKE = { code: '3F9K-0012-ABCD-EFGH', text: 'KIOSK1/R/ABC', link: null };
const withTake = (link: string | null = null) => ({
	print: async () => ({ ok: true as const, value: { print_id: 'p1', copy: false, take: { ...TAKE, link } } }),
});
const phone = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Struk di ponsel' });

test('the place of the receipt’s QR code is reserved before the code arrives; a touch enlarges the code and keeps the screen for 30 s', async () => {
	const { view } = paid('fresh', withTake());
	view();
	expect(phone().disabled).toBe(true);
	// The label is visible for everyone; it is not only for screen readers.
	expect(phone().textContent).toBe('Struk di ponsel');
	await pass(2_100);
	expect(phone().disabled).toBe(false);
	fireEvent.click(phone());
	expect(screen.getByText(TAKE.code)).toBeTruthy();
	await pass(29_900);
	expect(where()).toBe('/cash-payment');
	await pass(200);
	expect(where()).toBe('/');
});

test('closing the large code restarts the wait of 6 s before the kiosk goes home', async () => {
	const { view } = paid('fresh', withTake());
	view();
	await pass(2_100);
	fireEvent.click(phone());
	await pass(10_000);
	fireEvent.click(screen.getByRole('button', { name: 'Tutup' }));
	expect(screen.queryByText(TAKE.code)).toBeNull();
	await pass(5_900);
	expect(where()).toBe('/cash-payment');
	await pass(200);
	expect(where()).toBe('/');
});

test('if the printer has no paper, the screen points to the code for the phone; whatsapp_link adds a second code for WhatsApp', async () => {
	const { store, view } = paid('fresh', withTake('https://wa.me/62812?text=Struk'));
	view();
	await pass(2_100);
	act(() => void store.dispatch(printReported({ print_id: 'p1', state: 'failed', reason: 'paper_out' })));
	expect(screen.getByText(/Sentuh kode QR untuk struk di ponsel/)).toBeTruthy();
	fireEvent.click(phone());
	expect(document.querySelectorAll('figure svg')).toHaveLength(2);
	expect(screen.getByText(/WhatsApp/)).toBeTruthy();
});

test('the code of one visit is not shown in the next visit', async () => {
	const { store, view } = paid('fresh', withTake());
	view();
	await pass(2_100);
	act(() => void store.dispatch(visitEnded()));
	expect(store.getState().paid.take).toBeNull();
});

test('the screen shows an overpayment and says that the cashier gives the change', () => {
	paid('fresh').view();
	expect(screen.getByText('Rp 12.500')).toBeTruthy();
	expect(screen.getByText('tukarkan di kasir dengan struk')).toBeTruthy();
});

test('if the printer is known to be out of paper, the screen stays longer, and its hint about change names the invoice number instead of the receipt', async () => {
	const { store, view } = paid('fresh');
	store.dispatch(printerHeard('paper_out'));
	view();
	expect(screen.getByText('tukarkan di kasir dengan nomor invoice')).toBeTruthy();
	expect(screen.getByText('Struk belum keluar: kertas habis.')).toBeTruthy();
	await pass(2_100);
	expect(screen.queryByText(/sedang dicetak/)).toBeNull();
	await pass(4_900);
	expect(where()).toBe('/cash-payment');
	act(() => void store.dispatch(printReported({ print_id: 'p1', state: 'done', reason: null })));
	await pass(6_100);
	expect(where()).toBe('/');
});

test('if a print is refused because paper is missing, the hint about change names the invoice number instead of the receipt', () => {
	const { store, view } = paid('fresh');
	view();
	act(() => void store.dispatch(printRefused('paper_out')));
	expect(screen.queryByText('tukarkan di kasir dengan struk')).toBeNull();
	expect(screen.getByText('tukarkan di kasir dengan nomor invoice')).toBeTruthy();
});

test('if the invoice was already paid, the screen prints only on request and does not go home by itself', async () => {
	const { calls, view } = paid('before');
	view();
	expect(screen.getByText('Tekan Cetak untuk mencetak struk.')).toBeTruthy();
	await pass(20_000);
	expect(prints(calls)).toBe(0);
	expect(where()).toBe('/cash-payment');
});
