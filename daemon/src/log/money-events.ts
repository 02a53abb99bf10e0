/**
 * Events of invoices, of payments by cash, card and transfer, of the cashbox, and of the codes on
 * slips.
 */
export const MONEY_EVENTS = {
	'cash.opened': ['info', 'A customer may insert notes for this invoice.', ''],
	'cash.closed': ['info', 'The cash payment ended, for example because the customer left the screen. The acceptor is inhibited.', ''],
	'cash.screen_frozen': [
		'warn',
		'A cash payment is open, but the screen is gone, shows another page or has stopped drawing. No further note is taken until the screen draws the payment page again.',
		'Look at the panel; `journalctl -u kiosk-screen` shows whether the browser was restarted.',
	],
	'cash.screen_drawn': ['info', 'The screen draws again; the open payment takes notes as before.', ''],
	'cash.note_accepted': ['info', 'The intent to take this note is on disk; the acceptor was told to stack it.', ''],
	'cash.note_credited': ['info', 'The note is in the cashbox and its credit is on disk.', ''],
	'cash.note_returned': ['info', 'The note was returned to the customer; `reason` says why.', ''],
	'cash.note_in_doubt': [
		'error',
		'It is unknown whether this note is in the cashbox.',
		'Look for the note in the cashbox, then settle it: `kioskctl cash settle`.',
	],
	'cash.note_settled': ['info', 'Staff settled a note in doubt with `outcome`; `by` and `why` are in the journal.', ''],
	'cash.found_again': [
		'info',
		'The acceptor reported late that it stacked a note. Staff had already settled this note as found in the cashbox, so nothing changed.',
		'',
	],
	'cash.collected': ['info', 'Staff recorded that the cashbox was emptied. `difference`: counted minus expected amount.', ''],
	'cash.counted': [
		'info',
		'Staff counted the cashbox on the screen for the `times`-th time. `difference`: counted minus expected amount, rupiah. The count is not saved yet.',
		'',
	],
	'cash.given_back': [
		'info',
		'Staff gave money back for this invoice; the money no longer counts as received. The journal records the name.',
		'',
	],
	'invoice.paid_twice': [
		'error',
		'Money was received more than once for the same amount; up to `twice` rupiah may have to go back to the customer.',
		'`kioskctl cash attention` lists the invoice. Compare its payments with the back office and the slips, then void the card sale or give the money back.',
	],
	'invoice.dispute': [
		'error',
		'Back office and kiosk disagree about this invoice, or more was given back than was received (`why`). No money is taken for it.',
		'Compare the books of kiosk and back office, then run `kioskctl cash give-back` or `kioskctl cash review`.',
	],
	'invoice.total_changed': [
		'info',
		'The back office changed the total of an invoice that is being paid; the screen shows the new total.',
		'',
	],
	'invoice.reviewed': [
		'info',
		'Staff ended the dispute about this invoice: from now on the kiosk believes the answer of the back office and no longer counts the shortage.',
		'',
	],
	'cash.partial_settled': ['info', 'Staff removed a partly paid or doubly paid invoice from the list of cases.', ''],
	'cash.note_unexplained': [
		'error',
		'The acceptor stacked a note without being told to accept it.',
		'Look for the note in the cashbox, then settle it: `kioskctl cash settle`.',
	],
	'cash.credit_not_recorded': [
		'error',
		'The note is in the cashbox, but its credit could not be written to the journal; the note will be listed as in doubt.',
		'Free or repair the disk. Then look for the note in the cashbox and settle it: `kioskctl cash settle`.',
	],
	'cash.report_dropped': [
		'info',
		'A report of the acceptor about a note in doubt could be recorded only after staff had settled the note, so it was not recorded.',
		'',
	],
	'cash.paid': ['info', 'The invoice is paid. `by`: whether the back office or the kiosk decided this.', ''],
	'card.terminal': ['info', 'The state of the card terminal has changed.', ''],
	'card.refused': ['info', 'The kiosk refused to start a card sale; `reason` says why. Nothing was sent to the terminal.', ''],
	'card.sent': ['info', 'The intent of this card sale is on disk; the sale is sent to the terminal.', ''],
	'card.approved': ['info', 'The terminal approved the card sale; the approval is on disk. `late`: the sale was unknown before.', ''],
	'card.declined': ['info', 'The terminal declined the card sale with `code`; the kiosk counts no payment.', ''],
	'card.not_begun': [
		'warn',
		'The terminal did not take the request of this card sale, so the sale counts as not begun.',
		'Check the cable, and that the terminal is switched on and in its ECR menu.',
	],
	'card.unknown': [
		'error',
		'It is unknown whether the card was charged. No card is taken until the terminal reports the outcome or staff settle the sale.',
		'Run `kioskctl edc unknown`, which shows what to compare and how to settle the sale.',
	],
	'card.not_recorded': [
		'error',
		'The outcome of a card sale could not be written; the sale is unknown until the journal works again. The terminal gets no ACK.',
		'Free space on the journal’s disk (`df -h`) or repair it.',
	],
	'card.unexplained': [
		'error',
		'The terminal reported a charge that the kiosk had not requested.',
		'`kioskctl edc unknown` lists the charge. Compare it with the terminal’s slips and settle it.',
	],
	'card.evidence': [
		'warn',
		'The card terminal sent a report about a sale that had ended or is unknown.',
		'Run `kioskctl edc unknown`, which shows the report next to the sale.',
	],
	'card.answer_ignored': ['info', 'An answer of the terminal was acknowledged but changed nothing; `why` gives the reason.', ''],
	'card.inquiry': ['info', 'The kiosk asks the terminal about an unknown sale.', ''],
	'card.settled': ['info', 'Staff settled an unknown card sale; `by` and `why` are in the journal.', ''],
	'card.staff_asked': ['info', 'Staff requested a void or a settlement at the terminal; the request is on disk.', ''],
	'card.staff_answered': ['info', 'The staff request to the terminal ended with `outcome`.', ''],
	'card.approval_sent': ['info', 'The back office has received the approval of this card sale.', ''],
	'card.approval_waiting': [
		'warn',
		'The approval of a card sale is not sent yet; the kiosk sends it as soon as the live socket is open.',
		'If the approval keeps waiting, check the network, and that the outlet is logged in. Nothing is lost.',
	],
	'transfer.opened': ['info', 'The back office opened a QRIS code or virtual account for an invoice that was looked up at this kiosk.', ''],
	'transfer.paid': [
		'info',
		'The back office reports payment by a QRIS code or virtual account opened at this kiosk. The money is in the owner’s books, not in this kiosk’s.',
		'',
	],
	'transfer.closed': [
		'info',
		'The QRIS code or virtual account was cancelled or has expired, or the invoice was paid at the kiosk by another method.',
		'',
	],
	'transfer.not_kept': [
		'warn',
		'The list of open QRIS codes and virtual accounts could not be saved; after a restart the metrics may count a code or account twice or not at all.',
		'Check the disk of the state directory: `df -h`. No money is affected.',
	],
	'slip.key_made': [
		'info',
		'The kiosk made the key that signs its receipts and slips: at its first start, after a factory reset, or instead of a damaged key.',
		'Add the line of `kioskctl key` to the owner’s key list; keep the line of the earlier key for older receipts and slips.',
	],
	'slip.key_damaged': [
		'warn',
		'The key that signs receipts and slips was damaged. The damaged key is kept as `file`, and the kiosk made a new key. This kiosk no longer recognises earlier receipts and slips.',
		'Check the disk of the state directory. If a backup of the state directory contains `slip.key`, stop the kiosk and restore this file.',
	],
	'slip.no_key': [
		'error',
		'The key that signs receipts and slips can be neither read nor made, so receipts and slips are printed without a code.',
		'Check the disk and the permissions of the state directory, then restart the kiosk.',
	],
	'slip.checked': ['info', 'Staff checked the code of a receipt or slip on the screen; `verdict` is the answer.', ''],
} as const;
