/** The screens of a visit. Each is loaded only when it is needed. */
export const visitScreens = {
	method: () => import('./payment-method.tsx'),
	card: () => import('../card/edc-bca-payment.tsx'),
	cash: () => import('../cash/cash-payment.tsx'),
	nonCash: () => import('../transfer/non-cash-payment.tsx'),
};

/** Loads the screens' files while the customer types, so that later screens open at once. */
export function warmVisitScreens(): void {
	// A failure is ignored here, because opening the screen loads the file again and reports a
	// failure.
	for (const load of Object.values(visitScreens)) load().catch(() => undefined);
}
