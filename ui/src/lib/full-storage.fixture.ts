import { vi } from 'vitest';

/** Leaves session storage without room for another value; `vi.unstubAllGlobals` ends that. */
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
