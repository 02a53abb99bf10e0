import type { SimKiosk } from './sim-kiosk.ts';

/** Everything that must hold once the world has come to rest. Each breach is written into `world.violations`. */
export function checkBooks(world: SimKiosk): void {
	everyNoteIsInTheBooks(world);
	theServerHasEveryNoteOnce(world);
	noCardIsChargedUnknown(world);
	theServerHasEveryApproval(world);
	noSecondOriginal(world);
	theChainHolds(world);
}

const countOf = (values: readonly number[]): Map<number, number> => {
	const counts = new Map<number, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
};

/** No rupiah lost: what lies in the cashbox is credited or listed as in doubt. None invented: what is credited lies there. */
function everyNoteIsInTheBooks(world: SimKiosk): void {
	const notes = world.rows('SELECT nominal, state FROM notes');
	const nominals = (state: string) => notes.filter((note) => note.state === state).map((note) => Number(note.nominal ?? 0));
	const stacked = countOf(world.acceptor.stacked.map((note) => note.nominal));
	const credited = countOf(nominals('credited'));
	const inDoubt = countOf(nominals('in_doubt'));
	let spare = inDoubt.get(0) ?? 0;
	for (const nominal of new Set([...stacked.keys(), ...credited.keys()])) {
		const inBox = stacked.get(nominal) ?? 0;
		const known = credited.get(nominal) ?? 0;
		if (known > inBox) world.violated(`${known} notes of ${nominal} are credited, ${inBox} are in the cashbox`);
		const unexplained = inBox - known - (inDoubt.get(nominal) ?? 0);
		if (unexplained > spare)
			world.violated(`${inBox} notes of ${nominal} are in the cashbox, ${known} credited, ${inDoubt.get(nominal) ?? 0} in doubt`);
		spare -= Math.min(spare, Math.max(0, unexplained));
	}
	const open = nominals('intended').length;
	if (open > 0) world.violated(`${open} intents have neither outcome nor doubt`);
}

/** Each credited note reaches the owner's books once in effect. */
function theServerHasEveryNoteOnce(world: SimKiosk): void {
	const ours = `SELECT note_id FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL`;
	const credited = new Set(world.rows(ours).map((note) => String(note.note_id)));
	const booked = world.office.books.notes.map((note) => note.note_id);
	if (new Set(booked).size !== booked.length) world.violated('the server has booked a note twice');
	for (const note_id of booked) if (!credited.has(note_id)) world.violated(`the server has a note that is not credited: ${note_id}`);
	for (const note_id of credited) if (!booked.includes(note_id)) world.violated(`a credited note never reached the server: ${note_id}`);
}

/** What the bank took is approved in the books, or listed; and no invoice pays twice by card. */
function noCardIsChargedUnknown(world: SimKiosk): void {
	const taken = world.terminal.bank.transactions.filter((one) => !one.voided && one.type === '01').map((one) => one.amount);
	const sales = world.rows('SELECT amount, state, payment_id, response FROM card_sales');
	const approved = sales.filter((sale) => sale.state === 'approved');
	const listed = sales.filter((sale) => sale.state === 'unknown');
	const charged = countOf(taken);
	for (const [amount, count] of countOf(approved.map((sale) => Number(sale.amount))))
		if (count > (charged.get(amount) ?? 0))
			world.violated(`${count} sales of ${amount} are approved, the bank took ${charged.get(amount) ?? 0}`);
	const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
	const missing = sum(taken) - sum(approved.map((sale) => Number(sale.amount)));
	// An unknown sale may have been charged with another amount than was asked for; the list names the invoice all the same.
	if (missing > 0 && listed.length === 0) world.violated(`the bank took ${missing} that no sale in the books explains`);
	const perInvoice = countOf(approved.flatMap((sale) => (sale.payment_id === null ? [] : [Number(sale.payment_id)])));
	for (const [id, count] of perInvoice) if (count > 1) world.violated(`invoice ${id} was charged ${count} times`);
	if (sales.some((sale) => sale.state === 'sent')) world.violated('a sale is open although nobody is there');
}

function theServerHasEveryApproval(world: SimKiosk): void {
	const approved = world.rows(`SELECT attempt_id FROM card_sales WHERE state = 'approved' AND payment_id IS NOT NULL`);
	const told = world.office.books.approvals.map((approval) => String((approval.success as { attempt_id?: unknown }).attempt_id));
	for (const { attempt_id } of approved)
		if (!told.includes(String(attempt_id))) world.violated(`an approved sale never reached the server: ${String(attempt_id)}`);
	if (new Set(told).size !== told.length) world.violated('the server has booked an approval twice');
}

/** A receipt is worth its change once: every paper after the first that may have come out is marked as a copy. */
function noSecondOriginal(world: SimKiosk): void {
	const originals = world.printer.printed.filter((words) => words.startsWith('original'));
	for (const words of originals)
		if (originals.indexOf(words) !== originals.lastIndexOf(words)) world.violated(`two receipts came out as ${words}`);
}

function theChainHolds(world: SimKiosk): void {
	const bad = world.disk.verify();
	if (bad !== null) world.violated(`record ${bad} of the journal does not match its hash`);
}
