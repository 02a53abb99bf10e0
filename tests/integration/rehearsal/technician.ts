/** Acts as a technician who runs a rehearsal over the staff socket. */
import type { RehearsalLook } from '@kiosk/contract/rehearsal';
import { expect } from 'vitest';
import type { Kiosk } from '../../support/kiosk.ts';
import { staffCall } from '../../support/staff-call.ts';
import { until } from '../../support/until.ts';

/** Answers in rupiah or as counts, in the order of the rehearsal's questions. */
export type Answers = readonly number[];

export type Ended = NonNullable<RehearsalLook['ended']>;

async function call<T>(kiosk: Kiosk, method: string, path: string, body: object | null = null): Promise<T> {
	const answer = await staffCall<T>(kiosk, method, path, body);
	if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
	return answer.body;
}

export const look = (kiosk: Kiosk): Promise<RehearsalLook> => call(kiosk, 'GET', '/rehearsal');
export const begin = (kiosk: Kiosk, name: string): Promise<RehearsalLook> =>
	call(kiosk, 'POST', '/rehearsal', { action: 'begin', name, by: 'Sari' });

/** Waits until the daemon gives the technician this instruction. */
export const told = (kiosk: Kiosk, sentence: RegExp): Promise<void> =>
	until(async () => {
		const { running } = await look(kiosk);
		expect(running?.says[running.step - 1]).toMatch(sentence);
	});

/** Answers all questions. @returns the verdict and the text of the file */
export async function answer(kiosk: Kiosk, answers: Answers): Promise<Ended & { text: string }> {
	await until(async () => expect((await look(kiosk)).running?.ask).toBeTruthy(), 40_000);
	for (const value of answers) await call(kiosk, 'POST', '/rehearsal', { action: 'answer', value });
	const ended = await until(async () => {
		const found = (await look(kiosk)).ended;
		if (found === null) throw new Error(`not judged: ${JSON.stringify((await look(kiosk)).running)}`);
		return found;
	});
	const { text } = await call<{ text: string }>(kiosk, 'GET', `/rehearsal/file/${ended.file}`);
	return { ...ended, text };
}
