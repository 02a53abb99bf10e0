import { type AcceptorTexts, acceptorText, acceptorUnknown, setAcceptorText } from './acceptor.ts';
import { declineText, type EdcTexts, edcText, refusalText, saleText, setEdcText, terminalText } from './edc.ts';
import { type NonCashTexts, nonCashText, setNonCashText } from './non-cash.ts';
import { type PaymentTexts, paymentText, setPaymentText } from './payment.ts';
import { type ReturnTexts, returnText, setReturnText } from './returns.ts';
import { type ScreenTexts, setScreenText, text } from './screens.ts';
import { type GuideTexts, guideTexts, setGuides } from './va-guides.ts';

/**
 * All texts for customers in one language. A translation has exactly the keys of the Indonesian
 * catalogue, so a missing text is a compile error. Staff screens and printouts exist only in
 * Indonesian.
 */
export type Catalogue = {
	acceptor: AcceptorTexts;
	edc: EdcTexts;
	nonCash: NonCashTexts;
	payment: PaymentTexts;
	returns: ReturnTexts;
	screens: ScreenTexts;
	guides: GuideTexts;
};

/** The Indonesian texts, read before `setCatalogue` changes them. */
export const indonesian: Catalogue = {
	acceptor: { states: acceptorText, unknown: acceptorUnknown },
	edc: { terminal: terminalText, refusals: refusalText, declines: declineText, sales: saleText, screen: edcText },
	nonCash: nonCashText,
	payment: paymentText,
	returns: returnText,
	screens: text,
	guides: guideTexts,
};

/** Sets the texts for customers. After that, the caller must render the screens again. */
export function setCatalogue(catalogue: Catalogue): void {
	setAcceptorText(catalogue.acceptor);
	setEdcText(catalogue.edc);
	setNonCashText(catalogue.nonCash);
	setPaymentText(catalogue.payment);
	setReturnText(catalogue.returns);
	setScreenText(catalogue.screens);
	setGuides(catalogue.guides);
}
