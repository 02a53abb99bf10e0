import { createAction } from '@reduxjs/toolkit';

/** A customer's visit is over: every slice forgets what it knew of the customer and the payment. */
export const visitEnded = createAction('visit/ended');
