import type { ServerResponse } from 'node:http';

/** An answer before it is sent to the kiosk. */
export interface PassingAnswer {
	status: number;
	headers: Record<string, string | string[]>;
	body: string;
}

/** A test's change of an answer. The server waits for the result. */
export type Change = (answer: PassingAnswer) => PassingAnswer | Promise<PassingAnswer>;

/** Applies all these changes to a JSON answer in their order, then sends the answer. */
export async function sendChanged(response: ServerResponse, status: number, body: unknown, changes: Iterable<Change>): Promise<void> {
	let answer: PassingAnswer = { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
	for (const change of changes) answer = await change(answer);
	response.writeHead(answer.status, answer.headers).end(answer.body);
}
