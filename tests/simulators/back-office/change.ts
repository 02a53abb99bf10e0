import type { ServerResponse } from 'node:http';

/** An answer on its way to the kiosk. */
export interface PassingAnswer {
	status: number;
	headers: Record<string, string | string[]>;
	body: string;
}

/** How a test changes one answer; the server waits for the result. */
export type Change = (answer: PassingAnswer) => PassingAnswer | Promise<PassingAnswer>;

/** Sends a JSON answer after all these changes, in their order. */
export async function sendChanged(response: ServerResponse, status: number, body: unknown, changes: Iterable<Change>): Promise<void> {
	let answer: PassingAnswer = { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
	for (const change of changes) answer = await change(answer);
	response.writeHead(answer.status, answer.headers).end(answer.body);
}
