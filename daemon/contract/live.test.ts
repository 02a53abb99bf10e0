import * as v from 'valibot';
import { expect, test } from 'vitest';
import { LiveMessage, ScreenMessage } from './live.ts';

test.each([
	{ type: 'payment_notification', id: 42, odoo_id: 'SO7', is_paid: true },
	{ type: 'payment_cash_notification', id: 42, odoo_id: 'SO7', note_id: 'n1', nominal: 50_000, time: '2026-11-21T14:31:08+07:00' },
	{ type: 'machine_ready', is_ready: true, state: 'ready', ict_text: 'Ready' },
	{ type: 'connection', is_connected: false },
	{ type: 'payment_edc_bca_notification', event: 'transaction_response', data: { respCode: '00' } },
])('[spec 3.10, 7.15] the screen accepts $type with every field of the specification', (text) => {
	expect(v.parse(LiveMessage, { text })).toEqual({ text });
});

test.each([
	{ message: 'ping' },
	{ message: 'transaction', amount: 137_500 },
	{ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data: { amount: 137_500 } } },
	{
		message: {
			type: 'payment_edc_bca_notification',
			event: 'transaction_approve',
			data: { no_invoice: 'INV/42', access_token: 't', json_success_payment: { respCode: '00' } },
		},
	},
])('[spec 7.14] the daemon accepts %j from the screen', (message) => {
	expect(v.parse(ScreenMessage, message)).toEqual(message);
});
