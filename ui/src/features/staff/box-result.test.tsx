// @vitest-environment happy-dom
import { rupiah } from '@kiosk/contract/money';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { draw, storeWith } from '../../state/test-store.tsx';
import { BoxResult } from './box-result.tsx';

afterEach(cleanup);

const RENEWED = { time: '2026-11-25T08:00:00+07:00', dropped: null };

const open = (counted: number, renewed: typeof RENEWED | null = null) =>
	draw(
		storeWith({}).store,
		<BoxResult
			result={{
				by: 'Sari',
				period: 1,
				times: 1,
				notes: [{ nominal: rupiah(50_000), expected: 2, counted: counted / 50_000 }],
				expected: rupiah(100_000),
				counted: rupiah(counted),
				in_doubt: 0,
				outdated: false,
			}}
			renewed={renewed}
			onAgain={() => undefined}
			onSave={async () => undefined}
			onLeave={() => undefined}
		/>,
	);
const differences = () => screen.getAllByRole('row').map((row) => row.lastElementChild?.textContent);

test('if a note is missing, its row and the sum show a minus', () => {
	open(50_000);
	expect(differences()).toEqual(['Selisih', '-1', '-Rp 50.000']);
});

test('if there is one note too many, its row shows a plus; if the count is equal, there is no sign', () => {
	open(150_000);
	expect(differences()).toEqual(['Selisih', '+1', '+Rp 50.000']);
	cleanup();
	open(100_000);
	expect(differences()).toEqual(['Selisih', '0', 'Rp 0']);
});

test('in the first cashbox period of a new journal, the screen says since when notes are recorded', () => {
	open(150_000, RENEWED);
	expect(screen.getByText(/Jurnal baru sejak 25-11-2026 08:00/)).toBeTruthy();
});
