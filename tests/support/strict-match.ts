/**
 * Makes `toMatchObject` fail for a RegExp in place of a text. `toMatchObject` compares own
 * properties, and a RegExp has none, so without this tester a RegExp matches every value.
 */
import { expect } from 'vitest';

const isText = (actual: unknown, expected: unknown) => (expected instanceof RegExp && !(actual instanceof RegExp) ? false : undefined);

// Several test files run in one process, which keeps the testers of the first file.
const state = globalThis as { isMatchStrict?: true };
if (!state.isMatchStrict) expect.addEqualityTesters([isText]);
state.isMatchStrict = true;
