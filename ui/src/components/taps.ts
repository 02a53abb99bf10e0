import type { MouseEvent } from 'react';

/** @returns false for the second tap of a double tap: it was meant for what stood there before */
export const isFirstTap = (event: MouseEvent): boolean => event.detail < 2;
