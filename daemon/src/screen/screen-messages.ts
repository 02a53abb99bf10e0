import { IdSchema } from '@kiosk/contract/back-office';
import { EdcApprove, EdcStart, type LiveText, type ScreenMessage } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import type { LiveLink } from '../back-office/live-link.ts';
import type { Log } from '../log/log.ts';

/** An invalid request for a sale. The invoice's id, if present, is needed for the answer. */
const UnreadableStart = v.looseObject({
	event: v.literal('start_transaction'),
	data: v.optional(v.looseObject({ id: v.fallback(IdSchema, '') }), { id: '' }),
});

/**
 * Handles the screen's socket messages. Messages about the card terminal are not forwarded: the
 * kiosk reports approvals to the back office from the journal. Only the message with the amount
 * being paid is forwarded, rebuilt from its fields.
 */
export function screenMessages(deps: {
	start: (asked: EdcStart['data']) => void;
	/** The screen has received an approval. */
	approve: () => void;
	link: () => LiveLink;
	notify: (text: LiveText) => void;
	log: Log;
}): (message: ScreenMessage) => void {
	return (whole) => {
		if (whole.message === 'ping') return;
		if (whole.message !== 'transaction') return ofTerminal(whole.message);
		void deps.link().send({ message: 'transaction', amount: whole.amount });
	};

	function ofTerminal(message: object): void {
		const start = v.safeParse(EdcStart, message);
		if (start.success) return deps.start(start.output.data);
		if (v.is(EdcApprove, message)) return deps.approve();
		deps.log.event('socket.odd_message', { from: 'screen', path: v.getDotPath(start.issues[0]), reason: start.issues[0].message });
		const unreadable = v.safeParse(UnreadableStart, message);
		if (!unreadable.success) return;
		const { id } = unreadable.output.data;
		deps.notify({ type: 'kiosk_edc_sale', id, attempt_id: '', phase: 'declined', amount: rupiah(0), method: 'card', reason: 'bad_amount' });
	}
}
