import type { Id } from '@kiosk/contract/back-office';
import type { LiveText, ScreenMessage } from '@kiosk/contract/live';
import type { Invoice } from '../simulators/back-office/invoice.ts';

/** The simulated screen: its browser, its page, and the live messages that it has received. */
export interface SimScreen {
	connected: boolean;
	/** Identifies the browser. */
	session: string;
	/** The shown route and the invoice on it. */
	route: string;
	visit: Id | null;
	/** The invoice that was looked up last; a message with its id belongs to this invoice. */
	shows: Invoice | null;
	/** The false total that a compromised page sends, rupiah; null if the page is honest. */
	says: number | null;
	/** Number of page loads. A customer in front of the screen notices a reload. */
	loads: number;
	/**
	 * Whether the browser draws frames. The live socket works even while the browser draws nothing.
	 */
	drawing: boolean;
	/** Every live message since the socket opened. */
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
