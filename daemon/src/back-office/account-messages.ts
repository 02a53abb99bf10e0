import type { Account } from '../journal/records.ts';

/** @returns words for a message that name the outlet and the server of the account */
export const accountWords = (account: Account | null): string =>
	account ? `outlet ${account.outlet} at ${account.server}${account.development ? ' (trial)' : ''}` : 'no account';
