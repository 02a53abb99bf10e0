/**
 * `off`: not configured or not in use. `unknown`: cannot be determined. `warn`: works, but needs
 * attention. `fail`: the part does not work.
 */
export type PartState = 'ok' | 'off' | 'unknown' | 'warn' | 'fail';
