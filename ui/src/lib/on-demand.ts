import { reportFault } from './report.ts';

/**
 * Time limit for loading a file. The local daemon sends a file in milliseconds. A hung daemon must
 * not block a call.
 */
export const LOAD_LIMIT_MS = 5_000;

/**
 * @param load a dynamic import
 * @returns a function that loads the module once. It resolves with null if the load failed or took
 * too long; the next call then tries again.
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
