import { createAction, createReducer, isAnyOf } from '@reduxjs/toolkit';
import { alertShown } from './alert.ts';
import { noteInDoubt, noteReturned } from './cash.ts';

/** A question or a verdict has appeared. The customer must notice it from a few steps away. */
export const questionAsked = createAction('attention/questionAsked');

/** Counts the questions, alerts and note events that need attention. */
export const attentionReducer = createReducer(0, (builder) => {
	builder.addMatcher(isAnyOf(questionAsked, alertShown, noteReturned, noteInDoubt), (count) => count + 1);
});
