import type { Fields } from '../http.ts';

/** Thrown for an invalid request; its message names the reason or the allowed values. */
export class BadInput extends Error {}

export function oneOf<T extends string | number>(fields: Fields, name: string, allowed: readonly T[]): T {
	const found = allowed.find((value) => value === fields[name]);
	if (found === undefined) throw new BadInput(`${name} must be one of: ${allowed.join(', ')}`);
	return found;
}

export const optionalOneOf = <T extends string | number>(fields: Fields, name: string, allowed: readonly T[]): T | undefined =>
	fields[name] === undefined ? undefined : oneOf(fields, name, allowed);

export function flag(fields: Fields, name: string): boolean {
	const value = fields[name];
	if (typeof value !== 'boolean') throw new BadInput(`${name} must be true or false`);
	return value;
}

export const optionalFlag = (fields: Fields, name: string): boolean | undefined =>
	fields[name] === undefined ? undefined : flag(fields, name);

export function wholeNumber(fields: Fields, name: string, largest: number): number {
	const value = fields[name];
	if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > largest) {
		throw new BadInput(`${name} must be a whole number from 0 to ${largest}`);
	}
	return value;
}

export const optionalWholeNumber = (fields: Fields, name: string, largest: number): number | undefined =>
	fields[name] === undefined ? undefined : wholeNumber(fields, name, largest);

export function text(fields: Fields, name: string): string {
	const value = fields[name];
	if (typeof value !== 'string' || value.trim() === '') throw new BadInput(`${name} must be a text that is not empty`);
	return value;
}

export const optionalText = (fields: Fields, name: string): string | undefined =>
	fields[name] === undefined ? undefined : text(fields, name);

/** @returns the record without its undefined entries, for optional parameters */
export function given<T extends Record<string, unknown>>(entries: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
	const known = Object.entries(entries).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
