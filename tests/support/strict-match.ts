/**
 * Makes `toMatchObject` fail if a test expects a RegExp where the value is a text. Without this
 * tester, such an expectation would always hold: `toMatchObject` compares own properties, and a
 * RegExp has none.
 */
import { expect } from 'vitest';

const isText = (actual: unknown, expected: unknown) => (expected instanceof RegExp && !(actual instanceof RegExp) ? false : undefined);

// Several test files run in one process. The tester of the first file stays for the others.
const state = globalThis as { isMatchStrict?: true };
if (!state.isMatchStrict) expect.addEqualityTesters([isText]);
state.isMatchStrict = true;
