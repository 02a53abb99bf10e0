import type { Account } from '../journal/records.ts';

/** @returns the account's outlet and server, as part of a message */
export const accountWords = (account: Account | null): string =>
	account ? `outlet ${account.outlet} at ${account.server}${account.development ? ' (trial)' : ''}` : 'no account';
