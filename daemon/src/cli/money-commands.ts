import { formatRupiah, type Rupiah, rupiah, sumRupiah } from '@kiosk/contract/money';
import { beginningOf, referenceOf } from '@kiosk/contract/reference';
import { explainShortage } from '../journal/dispute-reasons.ts';
import type { InvoiceMoney } from '../staff/money-calls.ts';
import type { FoundInvoice, WaitingForStaff } from '../staff/parked-calls.ts';
import type { CommandTools } from './command-tools.ts';

/**
 * @param text 1250000 or 1.250.000 @returns rupiah, or null for an empty text; exits if the text is
 * not an amount
 */
export function amountOf(option: string, text: string, refuse: (sentence: string) => never): Rupiah | null {
	if (text === '') return null;
	if (!/^(\d{1,12}|\d{1,3}(\.\d{3}){1,3})$/.test(text))
		refuse(`--${option} ${text}: write a whole amount of rupiah, as 1250000 or 1.250.000`);
	return rupiah(Number(text.replaceAll('.', '')));
}

/** @returns the commands under `kioskctl cash` for invoices and parked notes, by name */
export function moneyCommands(deps: {
	subject: string;
	/** The argument after the subject. */
	second: string;
	amount: string;
	/** Whether to give back all money that the kiosk holds for the invoice, instead of `amount`. */
	all: boolean;
	tools: CommandTools;
}): Record<string, () => Promise<void>> {
	const { subject, second } = deps;
	const { say, refuse, call, decided, confirmed, yes } = deps.tools;
	const invoiceNamed = (): Promise<InvoiceMoney> =>
		call('GET', `/money/invoice/${encodeURIComponent(subject || refuse('Which invoice? Give its number or id.'))}`);

	async function noteNamed(): Promise<WaitingForStaff> {
		if (!/^[\w-]{4,36}$/.test(subject)) refuse('Which note? Give its reference, or at least the first four characters of its id.');
		const { parked } = await call<{ parked: WaitingForStaff[] }>('GET', '/money/parked');
		const found = parked.filter(({ note_id }) => note_id.startsWith(beginningOf(subject.toLowerCase())));
		const [note] = found;
		if (note && found.length === 1) return note;
		return refuse(`${found.length} of the notes that wait for staff match ${subject}; kioskctl cash parked lists them.`);
	}

	return {
		'cash attention': async () => {
			const { attention } = await call<{ attention: InvoiceMoney[] }>('GET', '/money/attention');
			say(attention.length === 0 ? 'No invoice needs attention.' : `${attention.length} invoice(s) need attention:`);
			for (const one of attention) say(attentionText(one));
		},
		'cash give-back': async () => {
			const given = amountOf('amount', deps.amount, refuse);
			if (!given === !deps.all) return refuse('State the amount that was given back, with either --amount RUPIAH or --all');
			const decision = decided();
			const found = await invoiceNamed();
			const { name, balance, held, settled } = found;
			const amount = given ?? held;
			if (amount === 0) refuse(`This kiosk holds Rp 0 for ${name}. Nothing was done.`);
			if (amount > held) refuse(`This kiosk holds ${formatRupiah(held)} for ${name}, so ${formatRupiah(amount)} cannot be given back.`);
			await confirmed(
				`${name}: ${formatRupiah(balance.received)} received of ${formatRupiah(balance.total)}; this kiosk holds ${formatRupiah(held)}.\n` +
					`${givenText(found)}${renumberedText(found)}${settled ? 'Staff have settled this invoice as paid elsewhere. ' : ''}Has the customer received ${formatRupiah(amount)} back? If you confirm, this amount no longer counts as paid. The kiosk does not inform the back office.`,
			);
			const now = await call<InvoiceMoney>('POST', '/money', {
				action: 'give_back',
				invoice: name,
				amount,
				held,
				settled,
				whole: deps.all,
				unseen: yes,
				...decision,
			});
			say(
				`${formatRupiah(amount)} given back for ${name}: the kiosk holds ${formatRupiah(now.held)} now, ${formatRupiah(now.balance.due)} is due. ` +
					'Correct the invoice in the back office as well.',
			);
		},
		'cash review': async () => {
			const decision = decided();
			const { name, balance, held, after_review } = await invoiceNamed();
			if (!after_review) return refuse(`${name} is not in dispute: it is ${balance.state}. Nothing was done.`);
			const { due } = after_review;
			await confirmed(
				`${name}: ${balance.why}.\n${reviewQuestion(balance)} This kiosk holds ${formatRupiah(held)}; ` +
					`after the review, ${formatRupiah(due)} is due and can be paid here.`,
			);
			const now = await call<InvoiceMoney>('POST', '/money', { action: 'review', invoice: name, due, dispute: balance.why, ...decision });
			say(`${name} is no longer in dispute: ${formatRupiah(now.balance.due)} is due. The journal records name and reason.`);
		},
		'cash parked': async () => {
			const { parked } = await call<{ parked: WaitingForStaff[] }>('GET', '/money/parked');
			say(`${parked.length} note(s) wait for staff, ${formatRupiah(sumRupiah(parked.map(({ nominal }) => rupiah(nominal))))}`);
			for (const note of parked) say(noteText(note));
			if (parked.length > 0)
				say('Choose one for each note: kioskctl cash resend NOTE, cash book NOTE (entered by hand), or cash move NOTE INVOICE-NUMBER.');
		},
		'cash resend': async () => {
			const decision = decided();
			const named = subject === 'all' ? null : await noteNamed();
			await confirmed(named ? `${noteText(named)}\nSend it again?` : 'Send every parked note again?');
			const note = named?.note_id ?? 'all';
			const { notes } = await call<{ notes: WaitingForStaff[] }>('POST', '/money', { action: 'resend', note, ...decision });
			say(`${notes.length} note(s) are sent again. If they are refused again, kioskctl cash parked lists them.`);
		},
		'cash book': async () => {
			const decision = decided();
			const note = await noteNamed();
			await confirmed(`${noteText(note)}\nIs the note entered in the back office? The kiosk will not send it again.`);
			await call('POST', '/money', { action: 'book', note: note.note_id, ...decision });
			say(`${formatRupiah(rupiah(note.nominal))}: booked by hand. The journal records the name.`);
		},
		'cash move': async () => {
			const decision = decided();
			if (second === '') refuse('Give the new invoice: kioskctl cash move NOTE INVOICE-NUMBER');
			const note = await noteNamed();
			const found = await call<FoundInvoice>('GET', `/money/look-up/${encodeURIComponent(second)}`);
			await confirmed(
				`${noteText(note)}\nCount it for ${found.noinvoice} (total ${formatRupiah(rupiah(found.total))}) and no longer for ${note.noinvoice}?`,
			);
			await call('POST', '/money', { action: 'move', note: note.note_id, number: second, expected: found.key, ...decision });
			say(`${formatRupiah(rupiah(note.nominal))} now counts for ${found.noinvoice} and is sent for it. The journal records the name.`);
		},
	};
}

const noteText = ({ note_id, nominal, noinvoice, time, why }: WaitingForStaff): string =>
	`  ${referenceOf(note_id)}  ${formatRupiah(rupiah(nominal))}  ${noinvoice || 'no invoice'}  ${time}  ${why}`;

const givenText = ({ given }: InvoiceMoney): string =>
	given ? `${given.by} gave ${formatRupiah(given.amount)} back at ${given.time}. ` : '';

/**
 * @returns a warning if the back office has renumbered the invoice, because its payments may also
 * count under the new number; else ''
 */
function renumberedText({ payment: { id }, renumbered }: InvoiceMoney): string {
	if (renumbered === null) return '';
	return `In the back office the invoice with the id ${id} now has the number ${renumbered}. If it is the same invoice, its payments count under that number. `;
}

function attentionText(one: InvoiceMoney): string {
	const { name, balance, held } = one;
	const { state, received, total } = balance;
	const renumbered = renumberedText(one).trim();
	const why = `${balance.why && `\n      ${balance.why}`}${renumbered && `\n      ${renumbered}`}`;
	return `  ${name}  ${state.replace('_', ' ')}: ${formatRupiah(received)} of ${formatRupiah(total)}, ${formatRupiah(held)} at this kiosk${why}\n      -> ${remedyOf(one)}`;
}

/**
 * @returns the questions before a review: whether a shortage was collected, and, for any other
 * contradiction, whether the back office is right
 */
function reviewQuestion(balance: InvoiceMoney['balance']): string {
	const { short, why } = balance;
	const shortage = short > 0 ? [`Was the ${formatRupiah(short)} collected from the customer, or booked as a loss?`] : [];
	return [...shortage, ...(why === explainShortage(balance) ? [] : ['Is the back office right?'])].join(' ');
}

function remedyOf({ name, held, balance: { state, twice, short }, after_review }: InvoiceMoney): string {
	if (state === 'paid_twice')
		return `Compare with the back office; up to ${formatRupiah(twice)} may have to go back to the customer. Give it back, then kioskctl cash give-back ${name} --amount RUPIAH (card charge: kioskctl edc void). If it was given back elsewhere: kioskctl cash done ${name}.`;
	if (state === 'partial')
		return `Let the customer pay the rest here, or at the cashier (kioskctl cash done ${name}), or give the money back (kioskctl cash give-back ${name}).`;
	if (short > 0 && after_review?.state !== 'dispute')
		return `A card was not charged, or its charge was returned, after the same money had been given back in cash. Collect ${formatRupiah(short)} from the customer outside the kiosk, or book it as a loss. Then kioskctl cash review ${name}.`;
	if (after_review?.state !== 'dispute')
		return `Compare the money of kiosk and back office. If the back office is right: kioskctl cash review ${name}. If not, have the payments in the back office corrected, then look the invoice up on the screen.`;
	const correction =
		'Correct the list in the back office: enter the missing payments, including card payments of this kiosk, and remove the payments that were given back. Then look the invoice up on the screen. ' +
		'If it stays in dispute: remove all its payments there, look it up, enter the right ones again, and look it up once more.';
	return held > 0 ? `${correction} Or give the money back: kioskctl cash give-back ${name}.` : correction;
}
