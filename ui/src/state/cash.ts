import type { DoubtfulNote, Id } from '@kiosk/contract/back-office';
import type { CashCloseAnswer, CashEntry, OpenMachineAnswer } from '@kiosk/contract/kiosk-api';
import type { ReturnReason } from '@kiosk/contract/live';
import { type Rupiah, sumRupiah } from '@kiosk/contract/money';
import { sameId } from '@kiosk/contract/same-id';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type * as v from 'valibot';
import { acceptorReported } from './acceptor.ts';
import { socketClosed } from './connection.ts';
import { visitEnded } from './visit.ts';

export type ReturnedNote = { nominal: Rupiah | null; reason: ReturnReason };

/**
 * What the screen knows about the cash session. If the daemon's journal differs, the journal is
 * right.
 */
export type Cash = {
	/** Id of the invoice that is paid in cash; null outside the cash screen. */
	id: Id | null;
	entries: CashEntry[];
	/**
	 * Notes that were reported during an open-machine call. They are kept, because the answer may be
	 * older than they are.
	 */
	announced: CashEntry[];
	opening: boolean;
	closing: boolean;
	moving: Rupiah | null;
	returned: ReturnedNote | null;
	doubts: DoubtfulNote[];
	/** The warnings that the customer has accepted: `paper`, or the id of a note in doubt. */
	accepted: string[];
};

const initialState: Cash = {
	id: null,
	entries: [],
	announced: [],
	opening: false,
	closing: false,
	moving: null,
	returned: null,
	doubts: [],
	accepted: [],
};

const lacks = (entries: readonly CashEntry[], noteId: string | null): boolean => !entries.some((entry) => entry.note_id === noteId);

const slice = createSlice({
	name: 'cash',
	initialState,
	reducers: {
		/**
		 * The cash screen has asked to open the acceptor. `known` is shown until the daemon's list
		 * arrives.
		 */
		machineAsked: (state, { payload }: PayloadAction<{ id: Id; known: CashEntry[] }>) => {
			if (!sameId(state.id, payload.id))
				Object.assign(state, initialState, { id: payload.id, entries: payload.known, accepted: state.accepted });
			state.opening = true;
			state.announced = [];
			state.returned = null;
		},
		machineOpened: (state, { payload }: PayloadAction<OpenMachineAnswer>) => {
			const missed = state.announced.filter((entry) => lacks(payload.entries, entry.note_id));
			state.entries = [...payload.entries, ...missed];
			state.announced = [];
			state.opening = false;
		},
		machineFailed: (state) => {
			state.opening = false;
		},
		noteReceived: (state, { payload }: PayloadAction<CashEntry>) => {
			state.moving = null;
			state.returned = null;
			state.doubts = state.doubts.filter((note) => note.note_id !== payload.note_id);
			if (state.opening && lacks(state.announced, payload.note_id)) state.announced.push(payload);
			if (lacks(state.entries, payload.note_id)) state.entries.push(payload);
		},
		noteMoving: (state, { payload }: PayloadAction<Rupiah>) => {
			state.moving = payload;
			state.returned = null;
		},
		noteReturned: (state, { payload }: PayloadAction<ReturnedNote>) => {
			state.moving = null;
			state.returned = payload;
		},
		noteInDoubt: (state, { payload }: PayloadAction<DoubtfulNote>) => {
			state.moving = null;
			if (!state.doubts.some((note) => note.note_id === payload.note_id)) state.doubts.push(payload);
		},
		warningsAccepted: (state, { payload }: PayloadAction<readonly string[]>) => {
			state.accepted.push(...payload);
		},
		closeAsked: (state) => {
			state.closing = true;
		},
		closeAnswered: (state, { payload }: PayloadAction<v.InferOutput<typeof CashCloseAnswer> | null>) => {
			state.closing = false;
			if (payload !== null) {
				state.entries = payload.entries;
				state.moving = null;
			}
		},
	},
	extraReducers: (builder) => {
		builder.addCase(visitEnded, () => initialState);
		builder.addCase(acceptorReported, (state, { payload }) => {
			// The daemon takes notes again only after this session's note in doubt has been settled.
			if (payload.is_ready) state.doubts = [];
		});
		builder.addCase(socketClosed, (state) => {
			// The answer to the next open-machine call contains the note's outcome.
			state.moving = null;
		});
	},
});

export const {
	machineAsked,
	machineOpened,
	machineFailed,
	noteReceived,
	noteMoving,
	noteReturned,
	noteInDoubt,
	closeAsked,
	closeAnswered,
	warningsAccepted,
} = slice.actions;
export const cashReducer = slice.reducer;

/** @returns the amount received for the payment on the screen, rupiah */
export const receivedOf = (cash: Cash): Rupiah => sumRupiah(cash.entries.map((entry) => entry.nominal));

/** @returns whether a note was received, is moving or is in doubt for this payment */
export const moneyInvolved = (cash: Cash): boolean => cash.entries.length > 0 || cash.moving !== null || cash.doubts.length > 0;
