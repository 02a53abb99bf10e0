import { createAction } from '@reduxjs/toolkit';

/** A customer's visit is over: every slice clears customer and payment. */
export const visitEnded = createAction('visit/ended');
