/** The lazily loaded screens of a visit. */
export const visitScreens = {
	method: () => import('./payment-method.tsx'),
	card: () => import('../card/edc-bca-payment.tsx'),
	cash: () => import('../cash/cash-payment.tsx'),
	nonCash: () => import('../transfer/non-cash-payment.tsx'),
};

/**
 * Loads the files while the customer types, so that no later screen waits for its file or fails
 * without it.
 */
export function warmVisitScreens(): void {
	// Opening the screen retries and reports a failure.
	for (const load of Object.values(visitScreens)) load().catch(() => undefined);
}
