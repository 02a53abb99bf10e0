import type { MouseEvent } from 'react';

/** @returns false for the second tap of a double tap, which was meant for the previous screen */
export const isFirstTap = (event: MouseEvent): boolean => event.detail < 2;
