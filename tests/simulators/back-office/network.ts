/** Faults of the server, or of the network on the way to the server. */
export const NETWORK_MODES = ['normal', 'slow', 'error', 'garbage', 'silent', 'lost_answer', 'echo'] as const;
export type NetworkMode = (typeof NETWORK_MODES)[number];

export interface NetworkState {
	/** false: connections are refused and open connections are reset. */
	up: boolean;
	/**
	 * slow: every answer takes `slowMs`. error: HTTP `status`. garbage: truncated JSON. silent: the
	 * call gets no answer. lost_answer: the call takes effect, but its answer is lost. echo: an error
	 * page that repeats the headers of the call.
	 */
	mode: NetworkMode;
	slowMs: number;
	status: number;
	/**
	 * The mode applies to calls whose path contains this text; an empty text stands for all calls.
	 */
	path: string;
}

export const GOOD_NETWORK: NetworkState = { up: true, mode: 'normal', slowMs: 5_000, status: 500, path: '' };

/** @returns the mode that applies to a path */
export const modeFor = (network: NetworkState, path: string): NetworkMode => (path.includes(network.path) ? network.mode : 'normal');
