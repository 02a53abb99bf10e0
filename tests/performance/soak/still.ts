/**
 * V8 recompiles hot code and discards cold code: megabytes that vary for an hour and are no leak.
 * With these options a process without leaks is constant to some kilobytes.
 */
export const STILL = ['--no-flush-bytecode', '--no-lazy-feedback-allocation', '--no-opt', '--no-maglev', '--no-sparkplug'];

/**
 * Options of a process whose memory is measured. As for the daemon: a small young generation, so
 * that resident memory is meaningful.
 */
export const READABLE = ['--expose-gc', '--max-semi-space-size=1', ...STILL];
export const ONE_ARENA = { MALLOC_ARENA_MAX: '1' };
