/** The lazily loaded screens of a visit. */
export const visitScreens = {
	method: () => import('../screens/payment-method/payment-method.tsx'),
	card: () => import('../screens/edc-bca-payment/edc-bca-payment.tsx'),
	cash: () => import('../screens/cash-payment/cash-payment.tsx'),
	nonCash: () => import('../screens/non-cash-payment/non-cash-payment.tsx'),
};

/**
 * Loads them while the number is typed, so that no later step waits for a file or fails without
 * one.
 */
export function warmVisitScreens(): void {
	// Opening the screen retries and reports a failure.
	for (const load of Object.values(visitScreens)) load().catch(() => undefined);
}
