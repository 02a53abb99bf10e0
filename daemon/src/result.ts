/** Expected outcomes as values. A bug throws; an outcome that the field can produce is returned. */
export type Result<T, E extends { code: string }> = { ok: true; value: T } | { ok: false; error: E };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });
export const fail = <E extends { code: string }>(error: E): { ok: false; error: E } => ({ ok: false, error });

/** @returns the message of anything that was thrown, strings included (some libraries throw them) */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
