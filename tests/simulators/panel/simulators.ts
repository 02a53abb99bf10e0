import type { Acceptor } from '../acceptor/start.ts';
import type { BackOffice } from '../back-office/start.ts';
import type { Edc } from '../edc/start.ts';
import type { Printer } from '../printer/start.ts';

/** With this the panel observes and kills the daemon. */
export interface DaemonHandle {
	state(): { running: boolean; pid: number | null; starts: number };
	/** @returns false if the daemon was not running */
	kill(signal: 'SIGKILL' | 'SIGTERM'): boolean;
}

/** The simulators and the daemon that the panel controls, and the kiosk screen that it links to. */
export interface Simulators {
	acceptor: Acceptor;
	backOffice: BackOffice;
	edc: Edc;
	printer: Printer;
	/** null in tests that start the daemon themselves. */
	daemon: DaemonHandle | null;
	/** Address of the kiosk screen, for the link on the panel. */
	screenUrl: string;
	/**
	 * Makes a new start address for a browser, as systemd does. GET /screen redirects to it.
	 * @returns an address that works once: the browser that opens it gets a session
	 */
	startScreen?: () => string;
}
