/**
 * Removes what the previous test file left, because the test files of one process share one page.
 * Their order differs between computers.
 */
import { vi } from 'vitest';

vi.useRealTimers();
vi.unstubAllGlobals();
if ('document' in globalThis) {
	document.body.replaceChildren();
	localStorage.clear();
	sessionStorage.clear();
	history.replaceState(null, '', '/');
}
