import { TransactionPage } from '@kiosk/contract/back-office';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { depositExpiryOptions, employeeStatusOptions } from '../text/filters.ts';
import { filtered, listReducer, pageChosen, pageLoaded } from './list.ts';
import { visitEnded } from './visit.ts';

const after = (...actions: Parameters<typeof listReducer>[1][]) => actions.reduce(listReducer, listReducer(undefined, { type: 'start' }));
const pageOf = (count: number, ...ids: number[]) =>
	pageLoaded(v.parse(TransactionPage, { results: ids.map((id) => ({ id, total: 1_000 })), count }));

test('[spec 3.11, 9.3] every field of the list state has the specification’s default', () => {
	expect(after()).toEqual({
		page: 1,
		search: '',
		offset: 0,
		obj: [],
		cabang_id: '',
		cabang_obj: null,
		tipe_harga_id: '',
		tipe_harga_obj: null,
		lastPage: 1,
		tipe_kontak: '',
		status_active: '',
		start_date: '',
		end_date: '',
		lokasi_id: '',
		lokasi_tujuan: '',
		lokasi_asal: '',
		perusahaan: 1,
		perusahaanObj: null,
		myIndex: null,
		outlet: '',
		outletObj: null,
		orderBy: '',
		orderType: 'asc',
		expired_deposite: '',
		expired_deposite_obj: null,
		tahun: '',
		tahunObj: null,
		statusAktif: '',
		statusAktifObj: null,
	});
});

test('[spec 9.1] a page has ten rows: page 4 has offset 30, and 11 rows need two pages', () => {
	expect(after(pageChosen(4))).toMatchObject({ page: 4, offset: 30 });
	for (const [count, lastPage] of [
		[0, 1],
		[10, 1],
		[11, 2],
		[51, 6],
	] as const)
		expect(after(pageOf(count)).lastPage).toBe(lastPage);
});

test('a new search or filter returns to page 1 and keeps the other filters', () => {
	const list = after(filtered({ outlet: '7', orderType: 'desc' }), pageChosen(3), filtered({ search: 'budi' }));
	expect(list).toMatchObject({ page: 1, offset: 0, search: 'budi', outlet: '7', orderType: 'desc' });
});

test('if the list became shorter, the screen moves to its last page', () => {
	expect(after(pageChosen(6), pageOf(31))).toMatchObject({ page: 4, offset: 30, lastPage: 4 });
});

test('the end of the visit clears the list', () => {
	expect(after(pageOf(40, 42), pageChosen(2), filtered({ search: 'budi' }), visitEnded())).toEqual(after());
});

test('[spec 4.26] every filter offers "-- Tampilkan Semua --" and the specification’s options', () => {
	const labels = (options: readonly { value: string; label: string }[]) => options.map(({ value, label }) => `${value} ${label}`);
	expect(labels(employeeStatusOptions)).toEqual([' -- Tampilkan Semua --', '1 Aktif', '2 Resign', '3 Diberhentikan']);
	expect(labels(depositExpiryOptions)).toEqual([' -- Tampilkan Semua --', '1 Sudah Expired', '2 Expired bulan ini']);
});
