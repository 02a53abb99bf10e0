import { spawn } from 'node:child_process';
import type { Clock } from '../clock.ts';

/** systemd asks for one message in every WatchdogSec; three tries fit, so that one slow moment is no restart. */
const TRIES = 3;

export interface SystemdParts {
	environment: Readonly<Record<string, string | undefined>>;
	clock: Clock;
	/** Asks what must answer before the watchdog is fed; throws where it does not. */
	ask: () => void;
	/** A message could not be given; systemd will end the daemon when that stays so. */
	trouble: (message: string) => void;
}

export interface Systemd {
	/** The kiosk serves; from now on the watchdog is fed. */
	ready(): void;
	stopping(): void;
}

/**
 * Tells systemd how the daemon is (sd_notify), where it asks to be told (NOTIFY_SOCKET). Node has no datagram UNIX sockets,
 * so the program systemd-notify says it; the unit needs NotifyAccess=all.
 */
export function startSystemd({ environment, clock, ask, trouble }: SystemdParts): Systemd {
	if (!environment.NOTIFY_SOCKET) return { ready() {}, stopping() {} };
	const watchdogMs = Number(environment.WATCHDOG_USEC ?? 0) / 1_000;
	let cancel = () => {};

	function notify(...words: string[]): void {
		// --no-block waits for nobody; --pid would need more rights than the daemon has, and NotifyAccess=all needs none.
		spawn('systemd-notify', ['--no-block', ...words], { stdio: 'ignore', env: { ...environment } })
			.on('error', (error) => trouble(error.message))
			.on('exit', (code) => {
				if (code !== 0) trouble(`systemd-notify ended with ${code}`);
			});
	}

	function feed(): void {
		ask();
		notify('WATCHDOG=1');
		cancel = clock.after(watchdogMs / TRIES, feed);
	}

	return {
		ready() {
			notify('--ready', 'STATUS=serves the screen');
			if (watchdogMs > 0) cancel = clock.after(watchdogMs / TRIES, feed);
		},
		stopping() {
			cancel();
			notify('STOPPING=1');
		},
	};
}
