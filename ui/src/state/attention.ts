import { createAction, createReducer, isAnyOf } from '@reduxjs/toolkit';
import { alertShown } from './alert.ts';
import { noteInDoubt, noteReturned } from './cash.ts';

/**
 * Dispatched when a question or the result of a card sale appears, because a customer must notice
 * this even a few steps away.
 */
export const questionAsked = createAction('attention/questionAsked');

/** Counts the questions, alerts and events of notes that need attention. */
export const attentionReducer = createReducer(0, (builder) => {
	builder.addMatcher(isAnyOf(questionAsked, alertShown, noteReturned, noteInDoubt), (count) => count + 1);
});
