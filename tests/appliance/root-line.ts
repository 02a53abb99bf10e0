/**
 * Gives tests a root shell in the guest. The emulated firmware passes an extra unit to systemd
 * (systemd.extra-unit.* in systemd-debug-generator(8)). systemd reads this unit only with the
 * signed kernel parameters of kernel-addon.ts.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { until } from '../support/until.ts';

const PORT = '/dev/virtio-ports/kiosk-test';
/**
 * Reads lines `id command`, runs each command, and answers `id status output`; command and output
 * are in base64.
 */
const LOOP = [
	`until [ -e ${PORT} ]; do sleep 1; done`,
	`exec 0<>${PORT} 1>&0`,
	'while read -r id line',
	'do text=$$(bash -c "$$(base64 -d <<<"$$line")" 2>&1 </dev/null)',
	'echo "$$id $$? $$(base64 -w0 <<<"$$text")"',
	'done',
].join('; ');

export const ROOT_LINE_CREDENTIALS: Readonly<Record<string, string>> = {
	'systemd.extra-unit.kiosk-test.service': `[Unit]
Description=Root line of the test
[Service]
ExecStart=/bin/bash -c '${LOOP}'
Restart=always
`,
};

const LIMIT_MS = 1_200_000;

export interface RootLine {
	/** @param limitMs how long to wait for the answer, which is lost if the guest restarts */
	run(command: string, limitMs?: number): Promise<string>;
	close(): void;
}

/**
 * Connects to the socket of a QEMU that may still be starting. The first command waits until the
 * guest listens.
 */
export async function openRootLine(path: string): Promise<RootLine> {
	const socket = await until(
		() =>
			new Promise<ReturnType<typeof connect>>((resolve, reject) => {
				const attempt = connect(path, () => resolve(attempt)).once('error', reject);
			}),
	);
	let id = 0;
	const waiting = new Map<number, (answer: { status: number; text: string } | Error) => void>();
	const lines = createInterface({ input: socket }).on('line', (line) => {
		const [, answered, status, text] = /^(\d+) (\d+) (\S*)$/.exec(line) ?? [];
		waiting.get(Number(answered))?.({
			status: Number(status),
			text: Buffer.from(text ?? '', 'base64')
				.toString('utf8')
				.trimEnd(),
		});
	});
	const lost = () => {
		for (const answer of waiting.values()) answer(new Error('the guest is off'));
	};
	socket.on('close', lost).on('error', lost);
	// The readline interface repeats the socket's errors.
	lines.on('error', lost);
	return {
		run(command, limitMs = LIMIT_MS) {
			id += 1;
			const mine = id;
			return new Promise((resolve, reject) => {
				const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms: ${command}`)), limitMs);
				waiting.set(mine, (answer) => {
					clearTimeout(timer);
					waiting.delete(mine);
					if (answer instanceof Error) reject(answer);
					else if (answer.status === 0) resolve(answer.text);
					else reject(new Error(`"${command}" ended with ${answer.status}: ${answer.text}`));
				});
				socket.write(`${mine} ${Buffer.from(command).toString('base64')}\n`);
			});
		},
		close: () => socket.destroy(),
	};
}
