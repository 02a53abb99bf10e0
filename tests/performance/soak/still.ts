/**
 * V8 recompiles hot code and discards cold code, so memory varies by megabytes for an hour even
 * without a leak. With these options, memory without a leak stays constant within some kilobytes.
 */
export const STILL = ['--no-flush-bytecode', '--no-lazy-feedback-allocation', '--no-opt', '--no-maglev', '--no-sparkplug'];

/**
 * Options of a process whose memory is measured. The young generation is as small as the daemon's,
 * so that resident memory varies little.
 */
export const READABLE = ['--expose-gc', '--max-semi-space-size=1', ...STILL];
export const ONE_ARENA = { MALLOC_ARENA_MAX: '1' };
