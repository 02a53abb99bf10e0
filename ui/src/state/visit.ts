import { createAction, createReducer } from '@reduxjs/toolkit';

/** A customer's visit has ended. The slices clear customer and payment. */
export const visitEnded = createAction('visit/ended');

/** Counts visits, so that answers for an earlier customer can be dropped. */
export const visitReducer = createReducer(0, (builder) => {
	builder.addCase(visitEnded, (count) => count + 1);
});
