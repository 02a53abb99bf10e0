import { join } from 'node:path';
import { startAcceptor } from './acceptor/start.ts';
import { startBackOffice } from './back-office/start.ts';
import { startEdc } from './edc/start.ts';
import type { Log } from './log.ts';
import type { Simulators } from './panel/simulators.ts';
import { busyPortMessage, type Ports, type Role } from './ports.ts';
import { startPrinter } from './printer/start.ts';

type Devices = Pick<Simulators, 'acceptor' | 'backOffice' | 'edc' | 'printer'>;

export interface AllOptions {
	/** 0 chooses free ports. */
	ports: Pick<Ports, 'acceptor' | 'backOffice' | 'edc' | 'printer'>;
	/**
	 * Folder for the data of the devices and the back office. Without it, the data are lost at the
	 * end.
	 */
	directory?: string;
	/** @param who the simulator that reports the event */
	log?: (who: string, sentence: string) => void;
}

/** Free ports, for tests. */
export const FREE_PORTS = { acceptor: 0, backOffice: 0, edc: 0, printer: 0 } as const;

/**
 * Starts back office, acceptor, card terminal and printer. If one of them cannot start, stops the
 * others and throws. If the reason is a port in use, the error names the port.
 * @returns the simulators, and `stop()` for all of them
 */
export async function startAll(options: AllOptions): Promise<Devices & { stop(): Promise<void> }> {
	const { ports, directory } = options;
	const stops: (() => Promise<void>)[] = [];
	const stop = async (): Promise<void> => {
		await Promise.all(stops.splice(0).map((one) => one()));
	};
	const logOf =
		(who: string): Log =>
		(sentence) =>
			options.log?.(who, sentence);
	const kept = (name: string): { file?: string } => (directory === undefined ? {} : { file: join(directory, name) });
	const begin = async <T extends { stop(): Promise<void> }>(role: Role, start: () => Promise<T>): Promise<T> => {
		try {
			const started = await start();
			stops.push(() => started.stop());
			return started;
		} catch (error) {
			await stop();
			throw explainBusyPort(error, role, ports[role as keyof typeof ports]);
		}
	};
	const backOffice = await begin('backOffice', () =>
		startBackOffice({ port: ports.backOffice, log: logOf('back office'), ...kept('back-office.json') }),
	);
	const acceptor = await begin('acceptor', () => startAcceptor({ port: ports.acceptor, log: logOf('acceptor'), ...kept('acceptor.json') }));
	const edc = await begin('edc', () => startEdc({ port: ports.edc, log: logOf('edc'), ...kept('edc.json') }));
	const printer = await begin('printer', () => startPrinter({ port: ports.printer, log: logOf('printer') }));
	return { backOffice, acceptor, edc, printer, stop };
}

/** @returns an error that names the port if the port is in use; otherwise the error unchanged */
export function explainBusyPort(error: unknown, role: Role, port: number): unknown {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return code === 'EADDRINUSE' || code === 'EACCES' ? new Error(busyPortMessage(role, port)) : error;
}
