/** The lazily loaded screens of a visit. */
export const visitScreens = {
	method: () => import('./payment-method.tsx'),
	card: () => import('../card/edc-bca-payment.tsx'),
	cash: () => import('../cash/cash-payment.tsx'),
	nonCash: () => import('../transfer/non-cash-payment.tsx'),
};

/** Loads the files while the customer types, so that later screens do not wait for their files. */
export function warmVisitScreens(): void {
	// A failure is ignored here, because opening the screen retries and reports it.
	for (const load of Object.values(visitScreens)) load().catch(() => undefined);
}
