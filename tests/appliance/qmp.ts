import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { until } from '../support/until.ts';

const Answer = v.looseObject({
	return: v.optional(v.unknown()),
	error: v.optional(v.object({ desc: v.string() })),
	id: v.optional(v.number()),
	event: v.optional(v.string()),
	data: v.optional(v.looseObject({})),
});

/**
 * QEMU's control socket (QMP), over which tests take screenshots, touch, press keys and plug
 * devices.
 */
export interface Qmp {
	execute(command: string, parameters?: object): Promise<unknown>;
	/** Waits for the next event of this name whose data match. */
	event(name: string, fits: (data: Readonly<Record<string, unknown>>) => boolean): Promise<void>;
	close(): void;
}

/** Connects to the socket of a QEMU that may still be starting. */
export async function openQmp(path: string): Promise<Qmp> {
	const socket = await until(
		() =>
			new Promise<ReturnType<typeof connect>>((resolve, reject) => {
				const attempt = connect(path, () => resolve(attempt)).once('error', reject);
			}),
	);
	const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
	const listeners = new Set<(name: string, data: Readonly<Record<string, unknown>>) => void>();
	createInterface({ input: socket }).on('line', (line) => {
		const answer = v.parse(Answer, JSON.parse(line));
		for (const listener of listeners) listener(answer.event ?? '', answer.data ?? {});
		const asked = answer.id === undefined ? undefined : waiting.get(answer.id);
		if (answer.id === undefined || !asked) return;
		waiting.delete(answer.id);
		if (answer.error) asked.reject(new Error(`QEMU: ${answer.error.desc}`));
		else asked.resolve(answer.return);
	});
	const lost = () => {
		for (const { reject } of waiting.values()) reject(new Error('QEMU has ended'));
		waiting.clear();
	};
	socket.on('close', lost).on('error', lost);
	let id = 0;
	const execute: Qmp['execute'] = (command, parameters = {}) =>
		new Promise((resolve, reject) => {
			id += 1;
			waiting.set(id, { resolve, reject });
			socket.write(`${JSON.stringify({ execute: command, arguments: parameters, id })}\n`);
		});
	await execute('qmp_capabilities');
	const event: Qmp['event'] = (name, fits) =>
		new Promise((resolve) => {
			const listener = (happened: string, data: Readonly<Record<string, unknown>>) => {
				if (happened !== name || !fits(data)) return;
				listeners.delete(listener);
				resolve();
			};
			listeners.add(listener);
		});
	return { execute, event, close: () => socket.destroy() };
}
