/**
 * `off`: not configured or not in use. `unknown`: cannot be determined. `warn`: works, but needs
 * attention. `fail`: its function is not available.
 */
export type PartState = 'ok' | 'off' | 'unknown' | 'warn' | 'fail';
