import type { EdcTexts, TerminalText } from '../edc.ts';
import { inSeconds } from './count.ts';

const ELSEWHERE = 'Choose another way to pay, or pay at the cashier.';
const ASK_STAFF = 'Ask our staff, or choose another way to pay.';
const ASK_SERVICE = 'please call customer service';
const UNSURE = 'If a terminal receipt still comes out, do not pay again and ask staff.';

const unresolved: TerminalText = {
	status: 'Card terminal waits for staff',
	advice: `An earlier payment at the terminal is uncertain. ${ASK_STAFF}`,
};
const journal: TerminalText = {
	status: 'Kiosk records have a problem',
	advice: `The terminal is not used to keep your money safe. ${ASK_STAFF}`,
};

export const edc: EdcTexts = {
	terminal: {
		ready: { status: 'Card terminal ready', advice: 'Follow the steps on this screen.' },
		not_configured: { status: 'Not available at this kiosk yet', advice: ELSEWHERE },
		disconnected: { status: 'Card terminal not connected', advice: `This screen continues when it is connected again. ${ASK_STAFF}` },
		silent: { status: 'Card terminal does not answer', advice: `This screen continues when it is on again. ${ASK_STAFF}` },
		starting: { status: 'Card terminal is getting ready', advice: 'Please wait a moment.' },
		busy: { status: 'Card terminal is in use', advice: `Wait until it is free, this screen continues by itself. ${ASK_STAFF}` },
		unresolved,
		journal_unhealthy: journal,
		journal_newer: {
			status: 'The kiosk is older than its records',
			advice: `The terminal is not used until the kiosk is updated. ${ASK_STAFF}`,
		},
		disk_full: { status: 'Kiosk storage is full', advice: `The terminal is not used to keep your money safe. ${ASK_STAFF}` },
	},
	refusals: {
		not_ready: { status: 'Card terminal not ready yet', advice: `Press Try again in a moment. ${ASK_STAFF}` },
		restarting: { status: 'The kiosk is about to restart', advice: 'Nothing was paid. Try again in a few minutes, or pay at the cashier.' },
		bad_amount: { status: 'This amount cannot be paid at the terminal', advice: ELSEWHERE },
		no_invoice: { status: 'Bill not found', advice: 'Go back and enter your number again.' },
		cash_inside: {
			status: 'This invoice is already partly paid in cash',
			advice: 'Go back and enter the same number to pay the rest in cash, or pay at the cashier.',
		},
		unresolved,
		journal,
	},
	declines: {
		S2: { cause: 'The terminal could not do the payment', retrying: 'Failed, please wait, trying again' },
		S4: { cause: 'The payment took too long' },
		CE: { cause: 'The terminal could not reach the bank', money: UNSURE },
		TO: { cause: 'The bank took too long to answer', money: UNSURE },
		'54': { cause: 'The card has expired' },
		'55': { cause: 'PIN rejected' },
		P2: { cause: 'The card could not be read' },
		Z3: { cause: 'The card’s chip was rejected' },
		PT: { cause: `Card terminal problem, ${ASK_SERVICE}` },
		PS: { cause: `Card terminal settlement failed, ${ASK_SERVICE}` },
		aa: { cause: 'Payment rejected' },
		S3: { cause: 'The QR scan failed' },
		TN: { cause: `Top up not available, ${ASK_SERVICE}` },
		P3: { cause: 'Payment cancelled at the card terminal' },
		unknown: { cause: 'Unknown response code' },
	},
	sales: {
		card: {
			steps: [
				'Press the yellow key on the card terminal',
				'Insert or swipe your card',
				'Enter your PIN, then press the green key',
				'Wait for the terminal receipt',
				'Payment done',
			],
			yourTurn: 'Please pay at the card terminal',
			cancelThere: 'Cancel with the red key on the card terminal',
			notCharged: 'Your card was not charged.',
			terminalSays: 'The terminal says your card was not charged.',
			notAsked: 'Nothing was asked from your card this time.',
			notKnown: 'It is not known yet whether your card was charged.',
			declined: 'The card payment did not happen',
			unknown: {
				body: 'The terminal received this bill, but its answer is missing. Your card may have been charged.',
				locked: 'This invoice is locked for cards until staff have checked it. This screen changes by itself when the answer comes.',
			},
		},
		qris: {
			steps: [
				'Wait for the QRIS code on the card terminal',
				'Scan it with mobile banking or e-wallet',
				'Check the amount, then approve on your phone',
				'Wait until this screen changes',
				'Payment done',
			],
			yourTurn: 'Please scan the QRIS code on the card terminal',
			cancelThere: 'Already paid? Wait, this screen changes by itself.',
			notCharged: 'This QRIS code was not paid.',
			terminalSays: 'The terminal says this QRIS code was not paid.',
			notAsked: 'No QRIS code was requested this time.',
			notKnown: 'It is not known yet whether this QRIS code was paid.',
			declined: 'The QRIS payment did not happen',
			unknown: {
				body: 'The terminal received this bill, but has not confirmed the result. This QRIS code may have been paid.',
				locked: 'This invoice is locked until the terminal or staff have checked it. This screen changes by itself when the answer comes.',
			},
		},
	},
	screen: {
		title: 'HOW TO PAY',
		total: 'Total',
		contacting: 'Contacting the card terminal…',
		sending: 'Sending the bill to the card terminal…',
		wait: 'Please wait a moment.',
		noAnswerYet: 'Waiting for the card terminal',
		noAnswerHint: 'Is the terminal off or silent? Do not pay again, this screen will tell you the result soon.',
		waited: 'Waiting for',
		offline: 'Connection to the kiosk lost',
		offlineOpen: 'The payment may still be running. Do not pay again, please wait.',
		offlineNone: 'Nothing was asked from the terminal yet. This screen continues by itself.',

		code: (code, invoice) => `EDC code ${code} · ${invoice}`,
		invoice: (invoice) => `Invoice ${invoice}`,
		reference: 'Reference',
		retrying: (cause) => `${cause}, trying again`,
		retry: 'Please try again',
		retryIn: (seconds) => `Starts again in ${inSeconds(seconds)}`,
		givenUp: 'Failed 3 times, please call customer service',
		home: (seconds) => `The screen returns to the start in ${inSeconds(seconds)}`,
		again: 'Try again',
		declinedHint: 'You can try again, or go back and choose another way to pay.',

		lost: {
			status: 'This screen missed the result',
			advice: 'If the terminal receipt is out or the terminal says approved, do not pay again and ask staff. If not, you can try again.',
		},

		short: {
			status: 'The payment at the terminal succeeded, but the bill has changed',
			advice: 'Keep the terminal receipt. Go back and enter the same number to pay the rest, or pay the rest at the cashier.',
		},
		shortBy: (left) => `Your payment is recorded. Still to pay: ${left}.`,
		shortUnclear: 'Your payment is recorded. Staff must check this bill.',

		unknown: {
			title: 'Do not pay again, please ask staff',
			amount: 'Amount',
			leave: {
				title: 'Leave this screen?',
				body: (reference) =>
					`The result of the payment is uncertain. Do not pay again in any way before staff have checked it. Note the reference ${reference}.`,
				stay: 'Stay here',
				go: 'Yes, go back',
			},
		},

		leaveCode: {
			title: 'Leave this QRIS code?',
			body: 'Already paid? Wait here until the screen changes. The code on the terminal can still be paid, and this invoice is held until it expires.',
			stay: 'Stay here',
			go: 'Yes, go back',
		},

		tile: { noSocket: 'The kiosk is not connected', unheard: 'Connecting to the card terminal…' },
	},
};
