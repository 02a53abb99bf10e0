import { writeSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/result.ts';

/**
 * Number of watchdog messages per `WatchdogSec`. systemd expects one, but a single delayed message
 * must not cause a restart.
 */
const TRIES = 3;

export interface SystemdDeps {
	environment: Readonly<Record<string, string | undefined>>;
	/** Connected datagram socket to systemd, or null. */
	socket: number | null;
	clock: Clock;
	/** Checks that the daemon works; throws if it does not. Called before each watchdog message. */
	ask: () => void;
	/** Called if a message could not be sent. If this persists, systemd ends the daemon. */
	trouble: (message: string) => void;
}

export interface Systemd {
	/** Reports that the kiosk is ready, and starts the watchdog messages. */
	ready(): void;
	stopping(): void;
}

/**
 * Reports the daemon's state to systemd (sd_notify) if NOTIFY_SOCKET is set. Node.js cannot open a
 * datagram UNIX socket, but it can write to an inherited one (`OpenFile=` in the unit).
 */
export function startSystemd({ environment, socket, clock, ask, trouble }: SystemdDeps): Systemd {
	if (!environment.NOTIFY_SOCKET) return { ready() {}, stopping() {} };
	const watchdogMs = Number(environment.WATCHDOG_USEC ?? 0) / 1_000;
	let cancel = () => {};

	/** Sends one datagram. */
	function notify(...lines: string[]): void {
		if (socket === null) return trouble('the unit passes no socket of systemd');
		try {
			writeSync(socket, lines.join('\n'));
		} catch (error) {
			trouble(messageOf(error));
		}
	}

	function feed(): void {
		ask();
		notify('WATCHDOG=1');
		cancel = clock.after(watchdogMs / TRIES, feed);
	}

	return {
		ready() {
			notify('READY=1', 'STATUS=serves the screen');
			if (watchdogMs > 0) cancel = clock.after(watchdogMs / TRIES, feed);
		},
		stopping() {
			cancel();
			notify('STOPPING=1');
		},
	};
}
