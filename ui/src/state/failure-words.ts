import type { ApiFailure } from '../lib/api.ts';
import { paymentText } from '../text/payment.ts';
import { text } from '../text/screens.ts';

const own = (code: string | undefined): string | null =>
	code !== undefined && Object.hasOwn(paymentText.refusals, code) ? paymentText.refusals[code as keyof typeof paymentText.refusals] : null;

/**
 * @returns the message for the customer after a failed call: for a refusal by the daemon, a text in
 * the customer's language; otherwise the server's message or, if there is none, a general message
 */
export const failureWords = ({ code, message }: ApiFailure): string => own(code) ?? message ?? text.gangguan;
