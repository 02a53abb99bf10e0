/**
 * Removes what the previous test file left. Several test files run in one process and share its
 * page, and the order of the files differs between computers.
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
