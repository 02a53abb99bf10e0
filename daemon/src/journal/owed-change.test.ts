import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { type Journal, openJournal } from './journal.ts';
import { owedChange } from './owed-change.ts';
import { keyOf, paymentOf } from './payment.fixture.ts';
import { openStore } from './store.ts';

const PAYMENT = paymentOf('7', { total: rupiah(95_000) });
const KEY = keyOf('7');

type Listed = { note_id: string; nominal: number; time: string };

const open = (name: string): Journal => openJournal({ directory: temporaryFolder(name), minFreeBytes: 0 }, systemClock, openStore);

function takeNote(journal: Journal, time: string): Listed {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment: PAYMENT, nominal: rupiah(50_000), code: '0x43', time });
	journal.append({ kind: 'cash_credit', note_id, late: false });
	journal.append({ kind: 'note_uploaded', note_id });
	return { note_id, nominal: 50_000, time };
}

function lookUp(journal: Journal, list: readonly Listed[]): void {
	const own = { notes_confirmed: journal.money.ownMoney(KEY), cards_confirmed: rupiah(0), told: journal.money.ownMoney(KEY) };
	const listed = list.map((one) => ({ ...one, nominal: rupiah(one.nominal) }));
	const is_paid = listed.reduce((sum, { nominal }) => sum + nominal, 0) >= PAYMENT.total;
	const seen_id = randomUUID();
	journal.append({ kind: 'invoice_seen', seen_id, payment: PAYMENT, is_paid, listed, own, source: 'look_up', time: '' });
}

test('if two kiosks took notes for one invoice, only the kiosk that took the last note owes the change; the other kiosk lists the surplus for staff', () => {
	const [first, last] = [open('first-kiosk'), open('last-kiosk')];
	lookUp(first, []);
	const part = takeNote(first, '2026-11-21T14:30:00+07:00');
	lookUp(last, [part]);
	const rest = takeNote(last, '2026-11-21T14:40:00+07:00');
	expect(owedChange(last.money, KEY)).toBe(5_000);
	for (const journal of [first, last]) lookUp(journal, [part, rest]);
	expect([first, last].map(({ money }) => owedChange(money, KEY))).toEqual([0, 5_000]);
	expect(first.money.attention()).toMatchObject([{ state: 'paid_twice', twice: 5_000 }]);
	expect(last.money.attention()).toEqual([]);
	for (const journal of [first, last]) journal.close();
});
