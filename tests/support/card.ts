import { expect } from 'vitest';
import type { Kiosk, Screen } from './kiosk.ts';
import { until } from './until.ts';

/** Asks for a card sale with exactly these data. */
export const startCard = (screen: Pick<Screen, 'send'>, data: object): void =>
	screen.send({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data } });

/** Holds a card to the terminal as soon as the terminal asks for it. */
export const tapCard = ({ edc }: Pick<Kiosk, 'edc'>, respCode = '00', more: object = {}): Promise<void> =>
	until(() => expect(edc.terminal.tap({ respCode, ...more })).toBe(true));

/** Waits until the newest message about a card sale has this phase, and these fields. */
export const saleShown = (screen: Screen, phase: string, more: object = {}): Promise<void> =>
	until(() => expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase, ...more }));
