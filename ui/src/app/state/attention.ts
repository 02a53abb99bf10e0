import { createAction, createReducer, isAnyOf } from '@reduxjs/toolkit';
import { alertShown } from './alert.ts';
import { noteInDoubt, noteReturned } from './cash.ts';

/** A question that nobody's touch has brought: it has to be noticed from a few steps away. */
export const questionAsked = createAction('attention/questionAsked');

/** How often something has asked for a look at the screen. */
export const attentionReducer = createReducer(0, (builder) => {
	builder.addMatcher(isAnyOf(questionAsked, alertShown, noteReturned, noteInDoubt), (count) => count + 1);
});
