import type { Acceptor } from '../acceptor/start.ts';
import type { BackOffice } from '../back-office/start.ts';
import type { Edc } from '../edc/start.ts';
import type { Printer } from '../printer/start.ts';

/** The panel's access to the daemon. */
export interface DaemonHandle {
	state(): { running: boolean; pid: number | null; starts: number };
	/** @returns false when it was not running */
	kill(signal: 'SIGKILL' | 'SIGTERM'): boolean;
}

/** Everything that the panel controls. */
export interface Simulators {
	acceptor: Acceptor;
	backOffice: BackOffice;
	edc: Edc;
	printer: Printer;
	/** null in tests that start their own daemon. */
	daemon: DaemonHandle | null;
	/** Address of the kiosk screen, for the panel's link. */
	screenUrl: string;
	/**
	 * Starts a browser on the kiosk as systemd does: returns an address that gives it a session,
	 * once. GET /screen redirects there.
	 */
	startScreen?: () => string;
}
