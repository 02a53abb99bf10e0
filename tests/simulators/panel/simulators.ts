import type { Acceptor } from '../acceptor/start.ts';
import type { BackOffice } from '../back-office/start.ts';
import type { Edc } from '../edc/start.ts';
import type { Printer } from '../printer/start.ts';

/** The panel's control over the daemon. */
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
	 * Prepares the start of a browser, as systemd does. GET /screen redirects to the returned
	 * address.
	 * @returns an address that gives one browser a session, once
	 */
	startScreen?: () => string;
}
