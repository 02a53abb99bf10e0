import { createAction, createReducer } from '@reduxjs/toolkit';

/**
 * Dispatched when a customer's visit ends. The slices react by clearing the data of customer and
 * payment.
 */
export const visitEnded = createAction('visit/ended');

/** Counts visits, so that an answer for an earlier customer can be recognised and dropped. */
export const visitReducer = createReducer(0, (builder) => {
	builder.addCase(visitEnded, (count) => count + 1);
});
