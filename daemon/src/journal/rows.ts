import type { SQLInputValue } from 'node:sqlite';
import type * as v from 'valibot';

/**
 * Queries the journal's file. @returns the rows that match the schema; none if the file cannot be
 * read, which the journal reports as trouble
 */
export type Rows = <const S extends v.GenericSchema>(schema: S, sql: string, ...parameters: (string | number)[]) => v.InferOutput<S>[];

/** Runs one statement. @returns the number of changed rows */
export type Run = (sql: string, ...parameters: SQLInputValue[]) => number;
