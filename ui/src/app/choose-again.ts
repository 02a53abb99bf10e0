/** Navigation state for the method screen: the choice is shown although a QRIS code or virtual account is open. */
export const CHOOSE_AGAIN = { choose: true };

/** @param state of the address, whatever it is */
export const choosesAgain = (state: unknown): boolean => (state as Partial<typeof CHOOSE_AGAIN> | null)?.choose === true;
