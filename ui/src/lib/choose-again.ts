/**
 * Navigating with this state makes the method screen offer all methods even if a QRIS code or
 * virtual account is open.
 */
export const CHOOSE_AGAIN = { choose: true };

/** @param state the location's state, which can have any type */
export const isChoosingAgain = (state: unknown): boolean => (state as Partial<typeof CHOOSE_AGAIN> | null)?.choose === true;
