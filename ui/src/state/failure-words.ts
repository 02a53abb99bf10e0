import type { ApiFailure } from '../lib/api.ts';
import { paymentText } from '../text/payment.ts';
import { text } from '../text/screens.ts';

const own = (code: string | undefined): string | null =>
	code !== undefined && Object.hasOwn(paymentText.refusals, code) ? paymentText.refusals[code as keyof typeof paymentText.refusals] : null;

/**
 * @returns the message of a failed call for the customer. A refusal of the daemon is in the
 * customer's language. Otherwise the server's message is used, or a general message.
 */
export const failureWords = ({ code, message }: ApiFailure): string => own(code) ?? message ?? text.gangguan;
