import type { ScreenTexts } from '../screens.ts';
import { inSeconds, secondsFor } from './count.ts';

export const screens: ScreenTexts = {
	gangguan: 'We are having a technical problem',
	kembali: 'Back',
	cetak: 'Print',
	waiting: 'Please wait..',
	tutup: 'Close',
	online: 'Online',
	offline: 'Offline',
	healthOk: 'Kiosk is fine',
	healthLook: 'Kiosk needs a look from staff',
	development: 'Development',

	callStaff: {
		button: 'Call staff',
		called: (time) => `Staff called ${time}`,
		phone: (number) => `Tel. ${number}`,
		failed: 'The call failed, try again',
	},

	reference: (invoice) => `Reference ${invoice}.`,

	boot: {
		title: 'Connecting to the machine…',
		hint: 'Please wait, the kiosk is getting ready.',
		slow: 'The kiosk is not ready yet. Money already taken stays recorded. Please ask our staff.',
	},

	setup: {
		title: 'Kiosk settings are wrong',
		hint: 'The previous settings stay active. Please call a technician.',
		more: (count) => `and ${count} more`,
	},
	unconfirmed: {
		title: 'Kiosk settings have changed',
		hint: 'Cash is closed until staff or a technician confirm this change.',
		server: 'The server has changed. Cash is closed and nothing is sent until a technician confirms this change.',
		held: (count, amount) => `${count} payments (${amount}) are not sent yet.`,
	},

	promo: { tagline: 'Pay for your service fast, no queue.', label: 'Promotion' },

	attract: { touch: 'Touch to pay' },

	ways: { title: 'Ways to pay', cash: 'Cash', card: 'BCA debit card', qris: 'QRIS', va: 'Virtual account' },

	guide: {
		label: 'Payment steps',
		steps: ['Enter phone number', 'Check the bill, choose how to pay', 'Pay', 'Take the receipt'],
		done: 'done',
	},

	cashGuide: {
		label: 'How to pay in cash',
		steps: [
			'Wait for Ready',
			'Insert Rupiah notes one by one',
			'Insert more than the bill until it says Paid',
			'Take the receipt, get change at the cashier',
		],
		readyPlace: 'at the top left',
		notes: 'Notes accepted',
	},

	transferGuide: {
		label: 'How to pay without cash',
		qris: [
			'Open mobile banking or e-wallet',
			'Scan the QR code on this screen',
			'Check the amount, then pay',
			'Wait for Paid, take the receipt',
		],
		va: ['Choose your bank', 'Pay to the VA number', 'Wait for Paid on this screen', 'Take the receipt'],
	},

	paidTwice: (amount) => `This invoice was paid more than once. Ask the cashier to return ${amount}.`,

	note: {
		returned: 'Note returned, please take it.',
		inDoubt: (amount, reference) => `A note of ${amount} is uncertain, please ask staff. Reference ${reference}.`,
	},

	home: {
		title: 'Enter your phone number',
		hint: 'The number you gave at the workshop',
		clear: 'Clear all',
		backspace: 'Delete one digit',
		confirm: 'Next',
		keypad: 'Keypad',
	},

	language: 'Language',

	aids: {
		title: 'Display help',
		hint: 'Stays on until you finish.',
		largeText: 'Large text',
		contrast: 'High contrast',
		lowReach: 'Low position',
		volume: { normal: 'Spoken guidance: normal', loud: 'Spoken guidance: loud', off: 'Spoken guidance: off' },
		close: 'Close',
	},

	invoice: {
		title: 'Invoice',
		pelanggan: 'Customer',
		noInvoice: 'Invoice no.',
		total: 'Invoice total',
		status: 'Status',
		paid: 'Paid',
		unpaid: 'Not paid yet',
		empty: 'Your bill will appear here',
		details: 'Show details',
		detailsOf: (number: string) => `Details ${number}`.trim(),
		more: (count: number) => `and ${count} more ${count === 1 ? 'line' : 'lines'}`,
		close: 'Close details',
		before: 'Previous',
		next: 'Next',
		page: (page, pages) => `Part ${page} of ${pages}`,
	},

	idle: {
		title: 'Are you still there?',
		body: 'The screen returns to the start in',
		seconds: secondsFor,
		stay: 'Continue',
		leave: 'Finish',
	},

	crash: {
		title: 'Unexpected Application Error!',
		body: 'The screen has a problem. Money already taken stays recorded. Start again with your number, or ask staff.',
		reference: (code, invoice) => `Reference ${[code, invoice].filter((part) => part !== '').join(' · ')}`,
		restart: 'Restart',
		auto: (seconds) => `The screen restarts in ${inSeconds(seconds)}`,
	},
};
