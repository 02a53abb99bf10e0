import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/daemon.ts';
import { until } from '../../support/until.ts';

export type Transport = 'tcp' | 'pty';

/** The acceptor's end of the line. */
export interface Line {
	/** The port as written in `[acceptor] port`. */
	readonly port: string;
	/** Called with the bytes from the daemon. */
	heard: (bytes: Uint8Array) => void;
	/**
	 * Sends bytes to the daemon in one write. If the daemon's end is closed, the bytes are lost, as
	 * on a real wire.
	 */
	write(bytes: readonly number[]): void;
	plug(): Promise<void>;
	/** Unplugs the cable: the daemon's line closes and cannot be reopened until `plug`. */
	unplug(): Promise<void>;
	stop(): Promise<void>;
}

export const newLine = async (transport: Transport): Promise<Line> => (transport === 'tcp' ? new TcpLine(await freePort()) : new PtyLine());

/** A line over TCP, as if the acceptor were connected to a serial device server on the network. */
class TcpLine implements Line {
	readonly port: string;
	heard = (_bytes: Uint8Array): void => {};
	readonly #number: number;
	#server: Server | null = null;
	readonly #sockets = new Set<Socket>();

	constructor(number: number) {
		this.#number = number;
		this.port = `tcp:127.0.0.1:${number}`;
	}

	write(bytes: readonly number[]): void {
		for (const socket of this.#sockets) socket.write(Uint8Array.from(bytes));
	}

	async plug(): Promise<void> {
		const server = createServer({ noDelay: true }, (socket) => {
			this.#sockets.add(socket);
			socket.on('data', (bytes) => this.heard(bytes));
			socket.on('error', () => socket.destroy());
			socket.on('close', () => this.#sockets.delete(socket));
		});
		this.#server = server;
		server.listen(this.#number, '127.0.0.1');
		await once(server, 'listening');
	}

	async unplug(): Promise<void> {
		const server = this.#server;
		if (!server) return;
		this.#server = null;
		const closed = once(server, 'close');
		server.close();
		for (const socket of this.#sockets) socket.resetAndDestroy();
		await closed;
	}

	stop = (): Promise<void> => this.unplug();
}

/**
 * A pseudo terminal. The daemon opens one end through serialport; the test writes to the other end
 * through socat.
 */
class PtyLine implements Line {
	readonly port: string;
	heard = (_bytes: Uint8Array): void => {};
	readonly #folder = mkdtempSync(join(tmpdir(), 'line-'));
	#cable: ChildProcess | null = null;

	constructor() {
		this.port = join(this.#folder, 'acceptor');
	}

	write(bytes: readonly number[]): void {
		if (this.#cable?.stdin?.writable) this.#cable.stdin.write(Uint8Array.from(bytes));
	}

	async plug(): Promise<void> {
		const cable = spawn('socat', [`PTY,raw,echo=0,link=${this.port}`, 'STDIO'], { stdio: ['pipe', 'pipe', 'ignore'] });
		this.#cable = cable;
		cable.stdout.on('data', (bytes: Buffer) => this.heard(bytes));
		cable.stdin.on('error', () => {});
		await until(() => {
			if (!existsSync(this.port)) throw new Error('socat did not create the pseudo terminal');
		});
	}

	async unplug(): Promise<void> {
		const cable = this.#cable;
		if (!cable) return;
		this.#cable = null;
		const ended = once(cable, 'exit');
		cable.kill('SIGKILL');
		await ended;
		// Removes the link that a killed socat leaves behind, because an unplugged adapter has no
		// device file.
		rmSync(this.port, { force: true });
	}

	async stop(): Promise<void> {
		await this.unplug();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
