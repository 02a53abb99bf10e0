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
 * What the screen says on its socket. The card terminal is the kiosk's own, so its messages end here; the back office hears
 * of an approval from the journal, and of everything else as the screen said it.
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
		const { message } = whole;
		if (message === 'ping') return;
		if (typeof message !== 'string' && message.type === 'payment_edc_bca_notification') return ofTerminal(message);
		if (typeof message !== 'string' && message.type.startsWith('kiosk_')) return parts.log.event('socket.odd_message', { from: 'screen' });
		void parts.link().send(whole);
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
