/** A failure that can occur in the field is returned as a value. A bug throws. */
export type Result<T, E extends { code: string }> = { ok: true; value: T } | { ok: false; error: E };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });
export const fail = <E extends { code: string }>(error: E): { ok: false; error: E } => ({ ok: false, error });

/** @returns the message of a thrown value; some libraries throw strings */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
