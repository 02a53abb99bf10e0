import { expect } from 'vitest';
import type { Kiosk, Screen } from './kiosk.ts';
import { until } from './until.ts';

/** Asks the daemon for a card sale with exactly these data. */
export const startCard = (screen: Pick<Screen, 'send'>, data: object): void =>
	screen.send({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data } });

/**
 * Asks the daemon for a card sale of the whole invoice, as the screen does.
 * @param more additional or changed data
 */
export const startCardFor = (screen: Pick<Screen, 'send'>, invoice: object, more: object = {}): void => {
	const { id, odoo_id, noinvoice, total } = invoice as Record<string, unknown>;
	startCard(screen, { amount: total, id, odoo_id, noinvoice, ...more });
};

/** Holds a card to the terminal as soon as the terminal asks for it. */
export const tapCard = ({ edc }: Pick<Kiosk, 'edc'>, respCode = '00', more: object = {}): Promise<void> =>
	until(() => expect(edc.terminal.tap({ respCode, ...more })).toBe(true));

/** Waits until the daemon has reported the terminal as ready. */
export const terminalReady = (screen: Screen): Promise<void> =>
	until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state: 'ready' }));

/** Waits until the newest message about a card sale has this phase and these fields. */
export const saleShown = (screen: Screen, phase: string, more: object = {}): Promise<void> =>
	until(() => expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase, ...more }));
