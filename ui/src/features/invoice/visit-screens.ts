/** The lazily loaded screens of a visit. */
export const visitScreens = {
	method: () => import('./payment-method.tsx'),
	card: () => import('../card/edc-bca-payment.tsx'),
	cash: () => import('../cash/cash-payment.tsx'),
	nonCash: () => import('../transfer/non-cash-payment.tsx'),
};

/**
 * Loads them while the number is typed, so that no later step waits for a file or fails without
 * one.
 */
export function warmVisitScreens(): void {
	// Opening the screen retries and reports a failure.
	for (const load of Object.values(visitScreens)) load().catch(() => undefined);
}
