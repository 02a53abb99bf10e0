import type { MouseEvent } from 'react';

/**
 * @returns false for the second tap of a double tap, because the customer meant the previous screen
 */
export const isFirstTap = (event: MouseEvent): boolean => event.detail < 2;
