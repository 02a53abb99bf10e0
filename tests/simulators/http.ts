import type { IncomingMessage, ServerResponse } from 'node:http';

/** A longer body is refused, bytes. No call of the kiosk or the panel is that long. */
const LARGEST_BODY = 1_000_000;

/** @returns the whole body; throws if it is larger than `limit` bytes or truncated */
export async function readBody(request: IncomingMessage, limit = LARGEST_BODY): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > limit) throw new Error(`body larger than ${limit} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

export function sendJson(response: ServerResponse, status: number, answer: unknown): void {
	response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
	response.end(JSON.stringify(answer));
}

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns the JSON object in the body; `{}` for an empty body, null for anything else */
export async function readJsonObject(request: IncomingMessage): Promise<Fields | null> {
	const text = (await readBody(request)).toString();
	if (text.trim() === '') return {};
	try {
		const value: unknown = JSON.parse(text);
		return isFields(value) ? value : null;
	} catch {
		return null;
	}
}
