import type { Transaction, TransactionPage } from '@kiosk/contract/back-office';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { visitEnded } from './visit.ts';

/** Number of rows on a page; the specification gives it. */
export const PAGE_SIZE = 10;

/** The record chosen in a filter, as the back office sent it. */
type Chosen = Record<string, unknown> | null;

/** The filters and the order of a list. An empty text switches a filter off. */
const noFilters = {
	search: '',
	cabang_id: '',
	cabang_obj: null as Chosen,
	tipe_harga_id: '',
	tipe_harga_obj: null as Chosen,
	tipe_kontak: '',
	status_active: '',
	start_date: '',
	end_date: '',
	lokasi_id: '',
	lokasi_tujuan: '',
	lokasi_asal: '',
	perusahaan: 1,
	perusahaanObj: null as Chosen,
	outlet: '',
	outletObj: null as Chosen,
	orderBy: '',
	orderType: 'asc' as 'asc' | 'desc',
	expired_deposite: '',
	expired_deposite_obj: null as Chosen,
	tahun: '',
	tahunObj: null as Chosen,
	statusAktif: '',
	statusAktifObj: null as Chosen,
};
type Filters = typeof noFilters;

/**
 * The list on the screen: its filters, the current page, and the rows of this page (`obj`).
 * `myIndex` is the index of a selected row.
 */
type List = Filters & { page: number; lastPage: number; offset: number; obj: Transaction[]; myIndex: number | null };

const initialState: List = { ...noFilters, page: 1, lastPage: 1, offset: 0, obj: [], myIndex: null };

const turnTo = (state: List, page: number) => {
	state.page = page;
	state.offset = (page - 1) * PAGE_SIZE;
};

const slice = createSlice({
	name: 'list',
	initialState,
	reducers: {
		/** A changed filter leads to another list, so page 1 is shown. */
		filtered: (state, { payload }: PayloadAction<Partial<Filters>>) => {
			Object.assign(state, payload);
			turnTo(state, 1);
		},
		pageChosen: (state, { payload }: PayloadAction<number>) => turnTo(state, payload),
		pageLoaded: (state, { payload }: PayloadAction<TransactionPage>) => {
			state.obj = payload.results;
			state.lastPage = Math.max(1, Math.ceil(payload.count / PAGE_SIZE));
			// If the list has become shorter, the requested page may no longer exist.
			if (state.page > state.lastPage) turnTo(state, state.lastPage);
		},
	},
	extraReducers: (builder) => {
		builder.addCase(visitEnded, () => initialState);
	},
});

export const { filtered, pageChosen, pageLoaded } = slice.actions;
export const listReducer = slice.reducer;
