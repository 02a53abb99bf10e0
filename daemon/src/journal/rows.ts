import type * as v from 'valibot';

/** Asks the journal's file. @returns what fits the schema; nothing when the file cannot be read, which the journal then says as its trouble */
export type Rows = <const S extends v.GenericSchema>(schema: S, sql: string, ...parameters: (string | number)[]) => v.InferOutput<S>[];
