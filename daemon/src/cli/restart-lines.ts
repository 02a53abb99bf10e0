import type { LeftOpen } from '../journal/open-items-export.ts';
import type { Restarted } from '../staff/journal-calls.ts';

/**
 * Maximum number of invoices with owed change that are listed. An outlet that does not record when
 * it gives change may have thousands.
 */
const MOST_CHANGES = 40;

/**
 * @returns the output of `journal restart`: items of the old journal that staff must settle by
 * hand, and the staff names taken over
 */
export function restartLines({ folder, newest, open, unwritten, lock, counting, names }: Restarted): string[] {
	return [
		`The old journal is in ${folder}; keep it. The kiosk restarts with a new journal, which does not contain the money below.`,
		...leftLines(open, newest),
		...list('Reported by acceptor or terminal while the journal could not be written; missing in both journals:', unwritten),
		...(lock === null
			? []
			: [
					`The bill acceptor stays locked (${lock}). Inspect it, then unlock it on the staff screen, or: kioskctl acceptor unlock --by NAME --why TEXT`,
				]),
		...(counting === null ? [] : [`The count of the cashbox that ${counting} had not saved is void: count again.`]),
		'Money that was given back and receipts or slips that did not print are not listed. For receipts and slips of the old journal the kiosk only says that they are older than the new journal; the owner’s page still checks their signatures. Give change only for an invoice listed above, and write down that you gave it.',
		...nameLines(names),
	];
}

function leftLines(open: LeftOpen | null, newest: number): string[] {
	if (!open)
		return [
			'The old journal cannot be read, so nothing can be listed. Count the cashbox, and compare with the back office and the terminal’s slips.',
		];
	const { change } = open;
	return [
		...(open.newest !== null && open.newest < newest
			? [`The old journal ends at record ${open.newest}, but the kiosk wrote up to record ${newest}: later records are not listed.`]
			: []),
		cashboxLine(open),
		...list('Notes in doubt, or unknown to the back office. The kiosk will not send them:', open.notes),
		...list(
			'Card sales with unknown outcome or an unfinished void, or unknown to the back office. The kiosk will not send them:',
			open.card_sales,
		),
		...list('Invoices paid in part or twice, or in dispute:', open.invoices),
		...list('Change that was not given, as far as the old journal knows:', change?.slice(0, MOST_CHANGES) ?? null),
		...(change && change.length > MOST_CHANGES
			? [`  … and ${change.length - MOST_CHANGES} older entries; open.json in that folder lists all`]
			: []),
		'A damaged file may list too little: count the cashbox, and compare with the back office and the terminal’s slips.',
	];
}

function cashboxLine({ in_cashbox, uncounted_boxes }: LeftOpen): string {
	if (in_cashbox === null) return 'The amount in the cashbox since the last count cannot be read.';
	const boxes =
		uncounted_boxes === 0 ? '' : `, of which part is in removed cashboxes that are not counted (${uncounted_boxes ?? 'number unknown'})`;
	return `In the cashbox since the last count: Rp ${in_cashbox}${boxes}`;
}

function nameLines({ record, people, is_last }: Restarted['names']): string[] {
	const again = 'let the supervisor add the first name on the staff screen at once: the first person added becomes the supervisor.';
	if (record === null)
		return [
			is_last
				? `The old journal had no staff names: ${again}`
				: `The staff names must be entered again, because the old journal does not prove a list: ${again}`,
		];
	return [
		`Staff names, taken over from record ${record} of the old journal${is_last ? ', its last list' : ''}:`,
		...(people.length === 0 ? [`  none: ${again}`] : people.map(({ name, role }) => `  ${name}, ${role}`)),
		...(is_last
			? []
			: [
					'The old journal is damaged, forged or incomplete after that record, so later changes of the list may be missing. Let the supervisor check the list on the staff screen, "Kelola nama".',
				]),
	];
}

/** @param rows null if they cannot be read */
function list(title: string, rows: readonly Record<string, unknown>[] | null): string[] {
	if (rows === null) return [title, '  This part of the old journal cannot be read.'];
	const line = (row: Record<string, unknown>): string =>
		`  ${Object.entries(row)
			.filter(([, value]) => value !== '' && value !== null)
			.map(([name, value]) => `${name} ${value}`)
			.join(', ')}`;
	return rows.length === 0 ? [] : [title, ...rows.map(line)];
}
