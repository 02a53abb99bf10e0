import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { visitEnded } from './visit.ts';

type Modal = { show: boolean; tipe: string; content: string; text: string; title: string; id: string | null; params: unknown };

const initialState: Modal = { show: false, tipe: '', content: 'list', text: '', title: '', id: null, params: null };

const slice = createSlice({
	name: 'modal',
	initialState,
	reducers: {
		modalOpened: (_, { payload }: PayloadAction<Partial<Omit<Modal, 'show'>>>) => ({ ...initialState, ...payload, show: true }),
		/** Hides the modal and resets type, content, text and title. */
		modalClosed: (state) => ({ ...state, show: false, tipe: '', content: 'list', text: '', title: '' }),
	},
	extraReducers: (builder) => {
		// A visit can end while a modal is open. The next customer must not see this modal.
		builder.addCase(visitEnded, () => initialState);
	},
});

export const { modalOpened, modalClosed } = slice.actions;
export const modalReducer = slice.reducer;
