import type { CashPeriod } from '../../daemon/src/journal/cash-book.ts';
import { type PaymentKey, paymentKey } from '../../daemon/src/journal/records.ts';
import type { SimKiosk } from './sim-kiosk.ts';

/** More payments than any run makes. */
const ALL = 1_000;
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * I19: these reports agree with the books: cashbox periods, the next count, the staff's figures,
 * the lists of waiting notes, parked notes and notes in doubt, and the last payments.
 */
export function checkReports(world: SimKiosk): void {
	const { journal } = world;
	if (journal === null || journal.trouble() !== null) return;
	const agree = (what: string, said: number, known: number): void => {
		if (said !== known) world.violated(`I19: ${what} has ${said}, but the books have ${known}`);
	};
	const [cash] = world.rows(`SELECT count(*) AS count, coalesce(sum(nominal), 0) AS total FROM notes WHERE state = 'credited'`);
	const now = journal.cashbox.period(null);
	if (now === null) return world.violated('I19: there is no period of the cashbox');
	const earlier = Array.from({ length: now.number - 1 }, (_, at) => journal.cashbox.period(at + 1));
	const periods: CashPeriod[] = [...earlier.filter((period) => period !== null), now];
	agree('the sum of all periods', sum(periods.map(({ expected }) => expected)), Number(cash?.total));
	for (const { number, expected, notes, uploaded, waiting, without_invoice } of periods) {
		agree(`the list of notes of period ${number}`, sum(notes.map(({ nominal, count }) => nominal * count)), expected);
		agree(`the division of period ${number}`, uploaded.total + waiting.total + without_invoice.total, expected);
	}
	const parked = sum(journal.parked().map(({ nominal }) => nominal));
	agree('waiting and parked', journal.waitingUploads().total + parked, sum(periods.map(({ waiting }) => waiting.total)));
	agree('in doubt', now.in_doubt.length + now.unexplained.length, journal.inDoubt().length);
	const due = journal.cashbox.due(now.number);
	const counted = due === null ? now.number : due.first - 1;
	const uncounted = sum(periods.filter(({ number }) => number > counted).map(({ expected }) => expected));
	agree('the next count, with the present box', due?.expected ?? 0, uncounted);

	const figures = journal.figuresSince(Number.MIN_SAFE_INTEGER);
	agree('the figure of notes', figures.notes, Number(cash?.count));
	const [cards] = world.rows(
		`SELECT coalesce(sum(amount), 0) AS total FROM card_sales WHERE state = 'approved' AND payment_id IS NOT NULL`,
	);
	agree('the figure of card sales', figures.card.total + figures.qris.total, Number(cards?.total));
	checkLastPayments(world);
}

/** Compares the list of last payments with the notes, for payments whose key names the account. */
function checkLastPayments(world: SimKiosk): void {
	const { journal } = world;
	const listed = journal?.recentPayments(ALL) ?? [];
	const keys = world.rows(`SELECT DISTINCT payment_id FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL`);
	for (const { payment_id } of keys) {
		const key = String(payment_id) as PaymentKey;
		const payment = journal?.money.paymentOf(key);
		if (!journal || !payment || paymentKey(payment) !== key) continue;
		const [held] = world.rows(`SELECT sum(nominal) AS total FROM notes WHERE state = 'credited' AND payment_id = ?`, key);
		const found = listed.filter(
			({ method, id, noinvoice }) => method === 'cash' && id === String(payment.id) && noinvoice === payment.noinvoice,
		);
		if (!found.some(({ amount }) => amount === Number(held?.total)))
			world.violated(`I19: the last payments lack ${String(held?.total)} for ${payment.noinvoice}`);
		const { state } = journal.money.balanceOf(key);
		const isPaid = state === 'paid' || state === 'paid_twice';
		const isOther = found.length === 1 && found[0]?.outcome !== 'in doubt' && (found[0]?.outcome === 'paid') !== isPaid;
		if (isOther) world.violated(`I19: the last payments list ${payment.noinvoice} as ${found[0]?.outcome}, but its state is ${state}`);
	}
}
