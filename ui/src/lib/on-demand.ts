import { reportFault } from './report.ts';

/**
 * Time limit for loading a file. The daemon normally sends a file in milliseconds; if it hangs, the
 * call must still end.
 */
export const LOAD_LIMIT_MS = 5_000;

/**
 * @param load imports the module dynamically
 * @returns a function that loads the module once. If this fails or takes too long, the function
 * resolves to null, and its next call tries again.
 */
export function onDemand<T>(load: () => Promise<T>): () => Promise<T | null> {
	let loading: Promise<T | null> | null = null;
	let reported = false;
	const failed = (error: unknown): null => {
		loading = null;
		if (!reported) reportFault('a part of the page could not be loaded', error);
		reported = true;
		return null;
	};
	return () => {
		loading ??= Promise.race([load(), tooLate()]).catch(failed);
		return loading;
	};
}

const tooLate = (): Promise<never> =>
	new Promise((_, reject) => setTimeout(() => reject(new Error(`not loaded within ${LOAD_LIMIT_MS} ms`)), LOAD_LIMIT_MS));
