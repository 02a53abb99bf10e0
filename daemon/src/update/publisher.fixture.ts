/** A static web server for tests that simulates the faults of real servers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Misbehaviour = (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void;

export interface Publisher {
	url: string;
	files: Map<string, Buffer>;
	/** Requests so far: "NAME RANGE" or "NAME whole". */
	asked: string[];
	/** Bytes of bodies sent so far. */
	sent(): number;
	/**
	 * Lets `how` answer the next `times` requests for the file, or all requests if `times` is left
	 * out.
	 */
	misbehave(name: string, how: Misbehaviour, times?: number): void;
}

/** @returns a server on the loopback address; it stops after the test */
export async function publisher(files: Record<string, Buffer> = {}): Promise<Publisher> {
	const published = new Map(Object.entries(files));
	const odd = new Map<string, { how: Misbehaviour; times: number }>();
	const asked: string[] = [];
	let sent = 0;
	const server = createServer((request, response) => {
		const name = decodeURIComponent((request.url ?? '').replace('/kiosk/', ''));
		asked.push(`${name} ${request.headers.range ?? 'whole'}`);
		const write = response.write.bind(response);
		response.write = ((piece: Buffer) => {
			sent += piece.length;
			return write(piece);
		}) as typeof response.write;
		const bytes = published.get(name);
		const now = odd.get(name);
		if (now !== undefined && now.times > 0) {
			now.times -= 1;
			return now.how(request, response, bytes ?? Buffer.alloc(0));
		}
		if (bytes === undefined) return void response.writeHead(404).end();
		behave(request, response, bytes);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/kiosk/`,
		files: published,
		asked,
		sent: () => sent,
		misbehave: (name, how, times = Number.POSITIVE_INFINITY) => void odd.set(name, { how, times }),
	};
}

/** Answers with the whole file or the requested range. */
const behave: Misbehaviour = (request, response, bytes) => {
	const { from, to } = rangeOf(request, bytes);
	const body = bytes.subarray(from, to);
	response.writeHead(from === 0 && to === bytes.length ? 200 : 206, {
		'Content-Length': body.length,
		...(request.headers.range ? { 'Content-Range': `bytes ${from}-${to - 1}/${bytes.length}` } : {}),
	});
	response.write(body);
	response.end();
};

function rangeOf(request: IncomingMessage, bytes: Buffer): { from: number; to: number } {
	const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
	return { from: Number(from ?? 0), to: last === undefined ? bytes.length : Number(last) + 1 };
}

export const answersStatus =
	(status: number, headers: Record<string, string> = {}): Misbehaviour =>
	(_request, response) =>
		void response.writeHead(status, headers).end('<html>');

/** Breaks the connection after `count` bytes of the body. */
export const cutsAfter =
	(count: number): Misbehaviour =>
	(request, response, bytes) => {
		const { from, to } = rangeOf(request, bytes);
		response.writeHead(request.headers.range ? 206 : 200, {
			'Content-Length': to - from,
			...(request.headers.range ? { 'Content-Range': `bytes ${from}-${to - 1}/${bytes.length}` } : {}),
		});
		// destroySoon flushes the written bytes first.
		response.write(bytes.subarray(from, Math.min(to, from + count)));
		setTimeout(() => response.socket?.destroySoon(), 20);
	};

/** Sends the whole file even if the request names a range. */
export const knowsNoRange: Misbehaviour = (_request, response, bytes) => {
	response.writeHead(200, { 'Content-Length': bytes.length });
	response.write(bytes);
	response.end();
};

export const sends =
	(body: Buffer, headers: Record<string, string | number> = {}, status = 200): Misbehaviour =>
	(_request, response) => {
		response.writeHead(status, headers);
		response.write(body);
		response.end();
	};

export const saysNothing: Misbehaviour = () => undefined;

/** Sends single bytes with pauses, endlessly. */
export const trickles: Misbehaviour = (_request, response, bytes) => {
	response.writeHead(200, { 'Content-Length': bytes.length });
	const timer = setInterval(() => response.write(Buffer.alloc(1)), 10);
	response.on('close', () => clearInterval(timer));
};

export const sendsWithoutEnd: Misbehaviour = (_request, response) => {
	response.writeHead(200);
	const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
	response.on('close', () => clearInterval(timer));
};
