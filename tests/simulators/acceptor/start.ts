import { systemClock } from '../../../daemon/src/base/clock.ts';
import { type Log, noLog } from '../log.ts';
import { memoryIn } from '../memory.ts';
import { openSerial, serveTcp, type WireEnd } from '../wire.ts';
import type { Behaviour, Timing } from './behaviour.ts';
import { IctDevice } from './device.ts';
import { Line } from './line.ts';
import type { NoteEnd, NoteEnds } from './note-ends.ts';

export interface AcceptorOptions {
	/** TCP port on 127.0.0.1; 0 chooses a free port. Without a port there is no TCP. */
	port?: number;
	/** A serial device or one end of a pty pair, 9600 8E1. Without a path there is no serial line. */
	serialPath?: string;
	timing?: Partial<Timing>;
	behaviour?: Partial<Behaviour>;
	/** Restarts the device whenever a host connects over TCP. */
	powerUpOnConnect?: boolean;
	/** File that keeps the note ends across restarts of the simulator. */
	file?: string;
	log?: Log;
}

export interface Acceptor {
	/** The TCP port; null without TCP. */
	port: number | null;
	device: IctDevice;
	line: Line;
	/** Switches the device off and on. @param options.offMs time without power */
	restart(options?: { noteEnds?: NoteEnd; offMs?: number }): void;
	stop(): Promise<void>;
}

const DARK_MS = 300;

/** Starts a powered bill acceptor on TCP, on a serial line, or on both. */
export async function startAcceptor(options: AcceptorOptions): Promise<Acceptor> {
	const clock = systemClock;
	const log = options.log ?? noLog;
	const line = new Line(clock);
	const memory = memoryIn<NoteEnds>(options.file);
	const device = new IctDevice({
		...options,
		clock,
		log,
		send: (bytes) => line.send(bytes),
		...(memory.saved === null ? {} : { noteEnds: memory.saved }),
		onSettled: memory.save,
	});
	let callOffRestart = (): void => {};
	const restart: Acceptor['restart'] = ({ noteEnds = 'returned', offMs = DARK_MS } = {}) => {
		log('power cut');
		callOffRestart();
		device.switchOff(noteEnds);
		callOffRestart = clock.after(offMs, () => device.switchOn());
	};
	const end: WireEnd = {
		get write() {
			return line.write;
		},
		set write(write) {
			line.write = write;
		},
		hear: (bytes) => device.receive(line.hear(bytes)),
		connected: () => {
			if (options.powerUpOnConnect === true) restart({ offMs: 0 });
			// If no host has answered the power-up bytes, sends them again at once. Otherwise the kiosk
			// would wait up to two seconds for the next repetition.
			else device.repeatPowerUp();
		},
	};
	const tcp = options.port === undefined ? null : await serveTcp(options.port, end, log);
	const path = options.serialPath;
	const serial = path === undefined ? null : await openSerial({ path, baudRate: 9_600, parity: 'even' }, end, log);
	device.switchOn();
	return {
		port: tcp?.port ?? null,
		device,
		line,
		restart,
		async stop() {
			callOffRestart();
			device.switchOff();
			await serial?.close();
			await tcp?.close();
		},
	};
}
