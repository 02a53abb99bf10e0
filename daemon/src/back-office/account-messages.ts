import type { Account } from '../journal/records.ts';

/** @returns the outlet and server of an account, for a sentence */
export const accountWords = (account: Account | null): string =>
	account ? `outlet ${account.outlet} at ${account.server}${account.development ? ' (trial)' : ''}` : 'no account';
