import type { MouseEvent } from 'react';

/**
 * @returns false for the second tap of a double tap: if the first tap changed the screen, the
 * customer did not mean the new one
 */
export const isFirstTap = (event: MouseEvent): boolean => event.detail < 2;
