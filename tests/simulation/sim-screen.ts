import type { Id } from '@kiosk/contract/back-office';
import type { LiveText, ScreenMessage } from '@kiosk/contract/live';
import type { Invoice } from '../simulators/back-office/invoice.ts';

/** The customer's view: the live messages while the browser runs. */
export interface SimScreen {
	connected: boolean;
	/** Identifies the browser. */
	session: string;
	/** The shown page and its invoice. */
	route: string;
	visit: Id | null;
	/** The last looked-up invoice; messages with its id belong to it. */
	shows: Invoice | null;
	/** The total that a compromised page sends to the daemon, rupiah; null: the looked-up total. */
	says: number | null;
	/** Page loads; a customer in front of the screen notices a reload. */
	loads: number;
	/** Whether the panel shows the browser's frames; the socket works without it. */
	drawing: boolean;
	/** Every message since the screen opened. */
	heard: LiveText[];
	say: (message: ScreenMessage) => void;
}

/** @returns a screen that is not connected yet */
export const newScreen = (): SimScreen => ({
	connected: false,
	session: 'browser 0',
	route: '/',
	visit: null,
	shows: null,
	says: null,
	loads: 0,
	drawing: true,
	heard: [],
	say: () => {},
});
