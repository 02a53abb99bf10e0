/** The screens of a visit, loaded apart from the first one. */
export const visitScreens = {
	method: () => import('../screens/payment-method/payment-method.tsx'),
	card: () => import('../screens/edc-bca-payment/edc-bca-payment.tsx'),
	cash: () => import('../screens/cash-payment/cash-payment.tsx'),
	nonCash: () => import('../screens/non-cash-payment/non-cash-payment.tsx'),
};

/** Fetches them while the number is typed, so that no later step waits for a file or fails for the lack of one. */
export function warmVisitScreens(): void {
	// A failure here is tried again, and reported, when the screen is opened.
	for (const load of Object.values(visitScreens)) load().catch(() => undefined);
}
