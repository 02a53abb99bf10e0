import type { Account } from '../journal/records.ts';

/** @returns whose books they are, in words */
export const accountWords = (account: Account | null): string =>
	account ? `outlet ${account.outlet} at ${account.server}${account.development ? ' (trial)' : ''}` : 'no account';
