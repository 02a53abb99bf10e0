import type { Account } from '../journal/records.ts';

/** @returns words for a message: the account's outlet and server */
export const accountWords = (account: Account | null): string =>
	account ? `outlet ${account.outlet} at ${account.server}${account.development ? ' (trial)' : ''}` : 'no account';
