import type { OutletToken } from '../back-office/token.ts';

/** A shorter token would be found in ordinary words. */
const SHORTEST = 8;
const INSTEAD = '***';

/** @returns a function that takes the outlet's token out of what goes to the page: servers repeat headers in their error pages */
export const hideToken =
	(outlet: Pick<OutletToken, 'current'>) =>
	(body: Buffer): Buffer => {
		const token = Buffer.from(outlet.current()?.token.reveal() ?? '');
		if (token.length < SHORTEST || !body.includes(token)) return body;
		return Buffer.from(body.toString('latin1').replaceAll(token.toString('latin1'), INSTEAD), 'latin1');
	};
