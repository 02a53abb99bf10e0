/** How the way to the server, or the server itself, misbehaves. */
export const NETWORK_MODES = ['normal', 'slow', 'error', 'garbage', 'silent', 'lost_answer', 'echo'] as const;
export type NetworkMode = (typeof NETWORK_MODES)[number];

export interface NetworkState {
	/** false: nobody listens; connections are refused, open ones were reset. */
	up: boolean;
	/**
	 * slow: every answer takes `slowMs` · error: HTTP `status` · garbage: JSON that is cut off · silent: accepted, never answered ·
	 * lost_answer: the call takes effect, its answer does not arrive · echo: an error page that repeats the headers of the call.
	 */
	mode: NetworkMode;
	slowMs: number;
	status: number;
	/** The mode holds only for calls whose path contains this text; empty: for all. */
	path: string;
}

export const GOOD_NETWORK: NetworkState = { up: true, mode: 'normal', slowMs: 5_000, status: 500, path: '' };

/** @returns the mode in force for a path */
export const modeFor = (network: NetworkState, path: string): NetworkMode => (path.includes(network.path) ? network.mode : 'normal');
