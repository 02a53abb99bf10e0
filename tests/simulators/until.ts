import { vi } from 'vitest';

/** A busy machine with two cores may need this long for what usually takes milliseconds. */
const LIMIT_MS = 4_500;
const LOOK_EVERY_MS = 10;

/** Tries `check` until it no longer throws. @returns what it returned last */
export const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: LIMIT_MS, interval: LOOK_EVERY_MS });
