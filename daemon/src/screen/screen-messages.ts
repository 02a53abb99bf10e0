import * as v from 'valibot';
import { IdSchema } from '../../contract/back-office.ts';
import { EdcApprove, EdcStart, type LiveText, type ScreenMessage } from '../../contract/live.ts';
import { rupiah } from '../../contract/money.ts';
import type { LiveLink } from '../back-office/live-link.ts';
import type { Log } from '../log/log.ts';

/** A sale that is asked for in a form nobody can read; the id is said where there is one. */
const UnreadableStart = v.looseObject({
	event: v.literal('start_transaction'),
	data: v.optional(v.looseObject({ id: v.fallback(IdSchema, '') }), { id: '' }),
});

/**
 * What the screen says on its socket. The card terminal is the kiosk's own, so its messages end here, and the back office hears of an
 * approval from the journal. One message is passed on, rebuilt from its fields: the amount that is being paid.
 */
export function screenMessages(parts: {
	start: (asked: EdcStart['data']) => void;
	/** The screen has seen an approval. */
	approve: () => void;
	link: () => LiveLink;
	tell: (text: LiveText) => void;
	log: Log;
}): (message: ScreenMessage) => void {
	return (whole) => {
		if (whole.message === 'ping') return;
		if (whole.message !== 'transaction') return ofTerminal(whole.message);
		void parts.link().send({ message: 'transaction', amount: whole.amount });
	};

	function ofTerminal(message: object): void {
		const start = v.safeParse(EdcStart, message);
		if (start.success) return parts.start(start.output.data);
		if (v.is(EdcApprove, message)) return parts.approve();
		parts.log.event('socket.odd_message', { from: 'screen', path: v.getDotPath(start.issues[0]), reason: start.issues[0].message });
		const unreadable = v.safeParse(UnreadableStart, message);
		if (!unreadable.success) return;
		const { id } = unreadable.output.data;
		parts.tell({ type: 'kiosk_edc_sale', id, attempt_id: '', phase: 'declined', amount: rupiah(0), method: 'card', reason: 'bad_amount' });
	}
}
