/**
 * Navigation state that makes the method screen show the choice even if a QRIS code or virtual
 * account is open.
 */
export const CHOOSE_AGAIN = { choose: true };

/** @param state of the location, of any type */
export const isChoosingAgain = (state: unknown): boolean => (state as Partial<typeof CHOOSE_AGAIN> | null)?.choose === true;
