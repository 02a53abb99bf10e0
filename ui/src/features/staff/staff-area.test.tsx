// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { alertShown } from '../../state/alert.ts';
import { staffOpened } from '../../state/pin-lock.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import StaffArea from './staff-area.tsx';

afterEach(cleanup);

test('when staff open another staff screen, the alert of the previous one closes', async () => {
	const { store } = storeWith();
	store.dispatch(staffOpened());
	draw(
		store,
		<Routes>
			<Route element={<StaffArea />}>
				<Route path="/daftar-transaksi" element={<Link to="/staf">Menu staf</Link>} />
				<Route path="/staf" element={<h1>Menu staf</h1>} />
			</Route>
		</Routes>,
		'/daftar-transaksi',
	);
	act(() => void store.dispatch(alertShown({ text: 'Kami sedang alami gangguan' })));
	expect(store.getState().alert.show).toBe(true);
	fireEvent.click(screen.getByRole('link'));
	await screen.findByRole('heading');
	expect(store.getState().alert.show).toBe(false);
});
