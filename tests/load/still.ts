/**
 * V8 compiles code again as it grows hot and throws away what is cold: megabytes that come and go for an hour and are no leak. With these
 * a process that leaks nothing holds the same to some kilobytes.
 */
export const STILL = ['--no-flush-bytecode', '--no-lazy-feedback-allocation', '--no-opt', '--no-maglev', '--no-sparkplug'];

/** How a process is started whose memory is read. As for the daemon: a small young generation, so that resident memory says something. */
export const READABLE = ['--expose-gc', '--max-semi-space-size=1', ...STILL];
export const ONE_ARENA = { MALLOC_ARENA_MAX: '1' };
