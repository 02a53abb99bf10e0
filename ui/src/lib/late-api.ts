import type { Api, ApiContext, Client } from './api.ts';
import { firstCalls, NO_ANSWER } from './first-calls.ts';
import { onDemand } from './on-demand.ts';

const loadClient = onDemand(() => import('./api.ts'));

/**
 * @returns the screen's calls. The first call that needs the client and its schemas loads them;
 * this is after the first screen was drawn. If they cannot be loaded, the call fails as if no
 * answer had come.
 */
export function lateApi(context: ApiContext): Api {
	let client: Client | null = null;
	const call = async (name: keyof Client, given: unknown[]): Promise<unknown> => {
		client ??= (await loadClient())?.createApi(context) ?? null;
		return client === null ? NO_ANSWER : (client[name] as (...given: unknown[]) => unknown)(...given);
	};
	return new Proxy(firstCalls(context.token) as Api, {
		get: (first, name: keyof Api) => (name in first ? first[name] : (...given: unknown[]) => call(name as keyof Client, given)),
	});
}
