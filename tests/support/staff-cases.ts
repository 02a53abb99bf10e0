import type { StaffCase, StaffCases } from '@kiosk/contract/staff-cases';
import { expect } from 'vitest';
import type { Kiosk } from './kiosk.ts';

/** Enters the PIN. @returns the open cases of the staff screen */
export async function staffCases(kiosk: Kiosk): Promise<StaffCase[]> {
	await kiosk.staff();
	const answer = await fetch(`${kiosk.daemon.url}/kiosk/staff/cases`, { headers: kiosk.session() });
	return ((await answer.json()) as StaffCases).cases;
}

/** @returns the open case of this invoice; without a number, the first open case */
export async function staffCase(kiosk: Kiosk, noinvoice?: string): Promise<StaffCase> {
	const cases = await staffCases(kiosk);
	return cases.find((one) => noinvoice === undefined || one.noinvoice === noinvoice) ?? expect.fail(`no case is open: ${noinvoice ?? ''}`);
}

interface Names {
	by?: string;
	second?: string | null;
	approval?: string;
}

/** Decides a case as the staff screen does. */
export const decideCase = (kiosk: Kiosk, { kind, id, amount }: StaffCase, decision: string, names: Names = {}) =>
	kiosk.post('/kiosk/staff/cases', { kind, id, amount, decision, nominal: null, by: 'Sari', second: null, ...names });
