import { createAction, createReducer, isAnyOf } from '@reduxjs/toolkit';
import { alertShown } from './alert.ts';
import { noteInDoubt, noteReturned } from './cash.ts';

/** A question that opened without a touch and must be noticed from a few steps away. */
export const questionAsked = createAction('attention/questionAsked');

/** Counts such questions. */
export const attentionReducer = createReducer(0, (builder) => {
	builder.addMatcher(isAnyOf(questionAsked, alertShown, noteReturned, noteInDoubt), (count) => count + 1);
});
