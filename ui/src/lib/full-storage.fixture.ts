import { vi } from 'vitest';

/** Makes session storage refuse every value until the test calls `vi.unstubAllGlobals`. */
export const fillStorage = () =>
	vi.stubGlobal(
		'sessionStorage',
		new Proxy(sessionStorage, {
			get(storage, name) {
				if (name === 'setItem') throw new DOMException('full', 'QuotaExceededError');
				const member: unknown = Reflect.get(storage, name);
				return typeof member === 'function' ? member.bind(storage) : member;
			},
		}),
	);
