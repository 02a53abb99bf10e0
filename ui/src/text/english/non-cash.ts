import type { NonCashTexts } from '../non-cash.ts';

export const nonCash: NonCashTexts = {
	otherMethod: 'Choose another way to pay',
	again: 'Try again',
	waiting: 'Waiting for your payment…',
	offline: 'Connection lost. Your payment is being checked, wait on this screen.',

	banks: {
		title: 'Choose a virtual account',
		loading: 'Loading the banks…',
		failed: 'The banks could not be loaded',
		failedHint: 'No payment was made. Try again, or choose another way to pay.',
		none: 'No bank is available yet',
		noneHint: 'No payment was made. Try again, or choose another way to pay.',
	},

	qris: {
		method: 'QRIS',
		title: 'Open mobile banking and scan the QR code below',
		picture: 'QR code of the payment',
		preparing: 'The QR code is being prepared…',
		preparingHint: 'If it takes too long, make a new code.',
		expired: 'The QR code has expired',
		expiredHint: 'If you have paid, wait on this screen. The payment is still being checked.',
		broken: 'The QR picture could not be loaded',
		brokenHint: 'Nothing was paid from this screen. Load the picture again.',
		renew: 'Make a new code',
	},

	va: {
		title: 'Virtual account',
		method: (bank) => `Virtual account ${bank}`.trim(),
		total: 'Total',
		before: 'Pay before',
		bank: 'Bank',
		company: 'Company code',
		number: 'Virtual account number',
		steps: 'How to pay',
		expired: 'The time limit has passed',
		expiredHint: 'Do not pay to this number any more. If you have paid, wait on this screen.',
		renew: 'Make a new number',
		leave: 'Done',
		slip: {
			print: 'Print VA number',
			printing: 'Printing the number…',
			done: 'Please take the paper.',
			failed: 'Not printed, note the number above.',
		},
	},
};
