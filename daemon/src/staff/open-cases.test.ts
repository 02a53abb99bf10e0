/** Money that staff give back, or settle, at the screen. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import type { StaffCase } from '@kiosk/contract/staff-cases';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { ACCOUNT, keyOf, paymentOf } from '../journal/payment.fixture.ts';
import { openStore } from '../journal/store.ts';
import { type OpenCases, openCases } from './open-cases.ts';

const TIME = '2026-11-21T14:31:08+07:00';
const PAYMENT = paymentOf(7);

let journal: Journal;
let cases: OpenCases;

beforeEach(() => {
	journal = openJournal({ directory: temporaryFolder('open-cases'), minFreeBytes: 0 }, systemClock, openStore);
	cases = openCases({
		journal,
		cash: { isPaying: () => false },
		card: {},
		token: { current: () => ({ account: ACCOUNT }) },
		twoNamesAbove: rupiah(1_000_000),
		nominals: [],
		isSupervisor: () => true,
		slips: { givenBack: () => {} },
		newId: randomUUID,
		now: () => TIME,
		log: { event: () => {} },
	} as unknown as Parameters<typeof openCases>[0]);
});
afterEach(() => journal.close());

/** A note of 2,000 was taken, and the whole invoice is also paid at the cashier. */
function payTwice(): void {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment: PAYMENT, nominal: rupiah(2_000), code: '0x41', time: TIME });
	journal.append({ kind: 'cash_credit', note_id, late: false });
	const listed = [PAYMENT.total + 50_000].map((nominal) => ({ nominal: rupiah(nominal), note_id: null, time: TIME }));
	const own = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: rupiah(0) };
	journal.append({
		kind: 'invoice_seen',
		seen_id: randomUUID(),
		payment: PAYMENT,
		is_paid: true,
		listed,
		own,
		source: 'look_up',
		time: TIME,
	});
}

const open = (): StaffCase[] => cases.list().cases.filter(({ kind }) => kind === 'twice');
const give = ({ kind, id, amount }: StaffCase) =>
	cases.decide({ kind, id, amount, decision: 'given', nominal: null, by: 'Sari', second: null });

test('an invoice paid twice is settled when the kiosk has given back all that it holds of it', async () => {
	payTwice();
	expect(open()).toMatchObject([{ id: keyOf(7), amount: 2_000 }]);
	for (const one of open()) expect(await give(one)).toMatchObject({ ok: true });
	// The rest of the excess was paid elsewhere, and goes back there.
	expect(open()).toMatchObject([{ id: keyOf(7), amount: 0 }]);
	for (const one of open()) expect(await give(one)).toMatchObject({ ok: true });
	expect([open(), journal.money.ownMoney(keyOf(7))]).toEqual([[], 0]);
});
