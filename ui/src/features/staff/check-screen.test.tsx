// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import type { CheckedPaper, EarlierPaper, SlipVerdict, Verdict } from '@kiosk/contract/slip-check';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { answered } from '../../lib/test-data.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { staffText } from '../../text/staff.ts';
import CasesScreen from './cases-screen.tsx';
import CheckScreen from './check-screen.tsx';

afterEach(cleanup);

const CODE = '3F9K-0012-ABCD-EFGH';
const CHANGE = { kind: 'change' as const, id: 'p7', noinvoice: 'INV/7', time: '', amount: rupiah(12_500), heard: '' };
const PAPER: CheckedPaper = {
	kind: 'receipt',
	code: CODE,
	record: 12,
	noinvoice: 'INV/7',
	printed: '2026-11-24T09:25:10+07:00',
	signed_amount: null,
	money: { state: 'paid', total: rupiah(137_500), received: rupiah(150_000) },
	case: null,
	given: null,
	shown: null,
};

/**
 * Opens the screen. The daemon answers every code with this verdict.
 * @returns the codes that the screen sent
 */
function open(verdict: Verdict, paper: Partial<CheckedPaper> | null = {}, earlier: EarlierPaper | null = null): string[] {
	const asked: string[] = [];
	const checkSlip: Api['checkSlip'] = async (code) => {
		asked.push(code);
		return answered<SlipVerdict>({ verdict, kiosk: '3F9K2M1A', paper: paper && { ...PAPER, ...paper }, earlier });
	};
	const { store } = storeWith({ checkSlip });
	draw(
		store,
		<Routes>
			<Route path="/staf/periksa" element={<CheckScreen />} />
			<Route path="/staf/kasus" element={<CasesScreen />} />
			<Route path="*" />
		</Routes>,
		'/staf/periksa',
	);
	return asked;
}
const field = () => screen.getByLabelText<HTMLInputElement>(staffText.check.title);
const press = async (name: string | RegExp) => {
	await act(async () => fireEvent.click(screen.getByRole('button', { name })));
};
async function type(code = CODE): Promise<void> {
	for (const letter of code.replaceAll('-', '')) await press(letter);
	await press('Periksa');
}
const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test('the screen has a key for exactly the characters that a code can contain', () => {
	open('genuine');
	const keys = screen.getAllByRole('button').map(({ textContent }) => textContent);
	expect(keys.filter((key) => key?.length === 1).join('')).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
});

test('after a complete code was typed, the screen shows the receipt, the change owed and a button that opens the case', async () => {
	const asked = open('genuine', { case: CHANGE });
	await press('3');
	expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Periksa' }).disabled).toBe(true);
	await press('Hapus satu huruf');
	await type();
	expect(asked).toEqual([CODE]);
	expect(screen.getByRole('heading').textContent).toBe('Asli');
	expect(fact('Kode')).toBe(CODE);
	expect(fact('Nomor')).toBe('INV/7');
	expect(fact('Sudah diterima')).toBe('Rp 150.000');
	expect(fact('Dicetak')).toBe('24-11-2026 09:25');
	expect(fact('Belum diberikan')).toBe('Rp 12.500');
	await press('Selesaikan uangnya');
	expect(screen.getByTestId('where').textContent).toBe('/staf/kasus');
	expect(screen.getByRole('heading').textContent).toBe('Kembalian belum diberikan');
	expect(screen.getByText('INV/7 · Rp 12.500')).toBeTruthy();
});

test('a scanner types the text of the QR code, and the Enter that it sends starts the check', async () => {
	const asked = open('genuine', { signed_amount: rupiah(137_500) });
	const text = 'KIOSK1/R/3F9K2M1A/12/0123456789ABCDEF';
	for (const letter of text.toLowerCase()) fireEvent.change(field(), { target: { value: field().value + letter } });
	await act(async () => void fireEvent.submit(field()));
	expect(asked).toEqual([text]);
	expect(fact('Jumlah di struk')).toBe('Rp 137.500');
});

test('a mistyped code stays in the field with a hint and gets no verdict', async () => {
	open('mistyped', null);
	await type();
	expect(field().value).toBe(CODE);
	expect(field().getAttribute('aria-invalid')).toBe('true');
	expect(screen.queryByText(staffText.check.mistyped)).not.toBeNull();
	await press('Hapus satu huruf');
	expect(screen.queryByText(staffText.check.mistyped)).toBeNull();
});

test.for([
	['shown', 'Sudah pernah diperiksa'],
	['copy', 'Salinan'],
	['given', 'Uang sudah diberikan'],
	['unknown', 'Tidak dikenal'],
	['forged', 'Palsu'],
	['other_kiosk', 'Dari kiosk lain'],
] as const)('the verdict %s is shown in words, and another printout can be checked at once', async ([verdict, title]) => {
	open(verdict, null);
	await type();
	expect(screen.getByRole('heading').textContent).toBe(title);
	await press('Periksa struk lain');
	expect(field().value).toBe('');
});

test('if change was already given, the screen shows amount, person and time of the payout, and the earlier checks', async () => {
	open('given', {
		given: { amount: rupiah(12_500), by: 'Sari', time: '2026-11-24T10:00:00+07:00' },
		shown: { times: 2, last: '2026-11-24T10:01:00+07:00' },
	});
	await type();
	expect(fact('Sudah diberikan')).toBe('Rp 12.500 · Sari · 24-11-2026 10:00');
	expect(fact('Sudah diperiksa')).toBe('2 kali, terakhir 24-11-2026 10:01');
	expect(screen.queryByRole('button', { name: 'Selesaikan uangnya' })).toBeNull();
});

test('for a printout of the previous journal, the screen shows the change but offers no payout', async () => {
	open('earlier', null, {
		renewed: '2026-11-25T08:00:00+07:00',
		record: 3,
		signed: { noinvoice: 'INV-7', amount: rupiah(137_500), change: rupiah(12_500), printed: '24-11-2026 09:25' },
		shown: { times: 1, last: '2026-11-25T09:00:00+07:00' },
	});
	await type();
	expect(screen.getByRole('heading').textContent).toBe('Dari sebelum jurnal baru');
	expect([fact('Jurnal baru sejak'), fact('Kembalian di struk'), fact('Sudah diperiksa')]).toEqual([
		'25-11-2026 08:00',
		'Rp 12.500',
		'1 kali, terakhir 25-11-2026 09:00',
	]);
	expect(screen.queryByText(staffText.check.unproved)).toBeNull();
	expect(screen.queryByRole('button', { name: 'Selesaikan uangnya' })).toBeNull();
});

test('for a typed code of the previous journal, the screen says that only the QR code is proof', async () => {
	open('earlier', null, { renewed: '2026-11-25T08:00:00+07:00', record: 3, signed: null, shown: null });
	await type();
	expect(screen.queryByText(staffText.check.unproved)).not.toBeNull();
});
