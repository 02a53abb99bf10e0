import { expect, test } from 'vitest';
import { customerText } from '../base/customer-text.ts';
import { describeDeviceReport } from './device-report.ts';

const { heard } = customerText;

test.each([
	['the acceptor did not say within 15000 ms what became of the note', heard.silent],
	['a note came back, but perhaps not this one', heard.otherCameBack],
	['the outcome could not be recorded before the kiosk stopped', heard.kioskStopped],
	['the line went away after a fault', heard.lineLost],
	['a fault began that may hold another note', heard.fault],
	['the outcome could not be recorded before the kiosk stopped; the acceptor said "stacked" after a restart, at TIME', heard.stackedLater],
	[
		'the acceptor did not say within 15000 ms what became of the note; the acceptor later said "stacked" for a note, at TIME',
		heard.stackedLater,
	],
	['a reason of a later version', heard.noteUnknown],
])('staff read in plain words that a note is in doubt because %s', (why, sentence) => {
	expect(describeDeviceReport('note', why)).toBe(sentence);
});

test.each([
	['the terminal answered TO', heard.terminalAnswered('TO')],
	['; 2026-11-21T08:02:10+07:00: the terminal answered void 00, Rp 135000, invoice 000001', heard.terminalVoided],
	['no answer', heard.terminalSilent],
	['the terminal approved Rp 200000 instead of Rp 137500', heard.otherAmount],
	['a reason of a later version', heard.saleUnknown],
])('staff read in plain words that a card sale is unknown because %s', (why, sentence) => {
	expect(describeDeviceReport('sale', why)).toBe(sentence);
});
