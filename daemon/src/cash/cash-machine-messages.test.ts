import { randomUUID } from 'node:crypto';
import { paidText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
/** Exact messages, log entries and records of a cash session. */
import { describe, expect, test } from 'vitest';
import type { AcceptorReport } from '../acceptor/driver.ts';
import { Desk, DOUBT, INVOICE, KEY, POLICY, READY, shownAs, TIME } from './cash-machine.fixture.ts';

const { noinvoice: invoice, total } = INVOICE;

test('a payment from opening to closing sends these messages, log entries and records', () => {
	const desk = new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').stack('0x45');
	desk.do({ kind: 'paid_by_back_office', key: KEY }).do({ kind: 'paid_by_back_office', key: KEY }).do({ kind: 'close' });
	const [first, second] = [desk.noteId(), desk.noteId(1)];
	const received = { type: 'payment_cash_notification', id: 7, odoo_id: 'SO7', time: TIME };
	expect(desk.told()).toEqual([
		READY,
		{ type: 'kiosk_note_moving', id: 7, nominal: 100_000 },
		{ ...received, note_id: first, nominal: 100_000 },
		{ type: 'kiosk_note_moving', id: 7, nominal: 50_000 },
		{ ...received, note_id: second, nominal: 50_000 },
		shownAs('inhibited'),
		paidText(INVOICE),
	]);
	expect(desk.logged()).toMatchObject([
		['cash.opened', { invoice, payment_id: 7, total }],
		['cash.note_accepted', { note_id: first, nominal: 100_000, invoice, payment_id: 7 }],
		['cash.note_credited', { note_id: first, nominal: 100_000, invoice, payment_id: 7, late: false }],
		['cash.note_accepted', { note_id: second, nominal: 50_000, invoice, payment_id: 7 }],
		['cash.note_credited', { note_id: second, nominal: 50_000, invoice, payment_id: 7, late: false }],
		['cash.paid', { invoice, payment_id: 7, by: 'back_office', received: 150_000, total }],
		['cash.closed', { invoice, payment_id: 7, received: 150_000, paid: true }],
	]);
	expect([desk.count('upload'), desk.count('wait_for_paid')]).toEqual([2, 1]);
	expect(desk.happened).toContainEqual({ kind: 'wait_for_paid', payment: INVOICE });
	expect(desk.written().at(-1)).toEqual({ kind: 'invoice_paid', payment: INVOICE, by: 'back_office', paid_id: expect.any(String) });
});

test('if a customer leaves before the total is received, the session ends once as not paid', () => {
	const desk = new Desk().open().escrow('0x45').stack('0x45').do({ kind: 'close' });
	expect(desk.logged().at(-1)).toMatchObject(['cash.closed', { invoice, payment_id: 7, received: 50_000, paid: false }]);
	expect(desk.do({ kind: 'close' }).do({ kind: 'paid_wait_over', key: KEY }).closed()).toBe(1);
});

test.each([
	['the wait for the back office is over', { kind: 'paid_wait_over', key: KEY }],
	['the back office is unreachable', { kind: 'back_office_unreachable' }],
] as const)('a closing session that still waits for a note in flight is not declared paid when %s', (_what, event) => {
	const desk = new Desk().open().escrow('0x45');
	const entries = [{ note_id: null, nominal: total, time: TIME }];
	desk.do({ kind: 'open', payment: INVOICE, entries, paid: null, paid_id: randomUUID() });
	desk.do({ kind: 'close' }).do(event);
	expect([desk.state.session?.paid, desk.records()]).toEqual(['covered', ['cash_intent']]);
});

describe('a returned note', () => {
	test.each([
		['0x40', 1_000, 'note_switched_off'],
		['0x49', null, 'unmapped_note'],
	])('with code %s that the kiosk rejects is reported with the value %s and the reason %s', (code, nominal, reason) => {
		const desk = new Desk().open().escrow(code);
		expect(desk.told().at(-1)).toEqual({ type: 'kiosk_note_returned', nominal, reason });
		expect(desk.logged().at(-1)).toMatchObject(['cash.note_returned', { code, nominal, reason }]);
	});

	test('that the acceptor returns before escrow is reported with its reason but not recorded', () => {
		const desk = new Desk().open().hear({ kind: 'refused', reason: 'unreadable' });
		expect(desk.told().at(-1)).toEqual({ type: 'kiosk_note_returned', nominal: null, reason: 'unreadable' });
		expect(desk.logged().at(-1)).toMatchObject(['cash.note_returned', { reason: 'unreadable' }]);
		expect(desk.records()).toEqual([]);
	});

	test('that the acceptor returns after ACCEPT is reported with its value and reason', () => {
		const desk = new Desk().open().escrow('0x45').hear({ kind: 'returned', accepted: true });
		const reason = 'rejected_by_machine';
		expect(desk.told().at(-1)).toEqual({ type: 'kiosk_note_returned', nominal: 50_000, reason });
		expect(desk.logged().at(-1)).toMatchObject([
			'cash.note_returned',
			{ note_id: desk.noteId(), nominal: 50_000, invoice, payment_id: 7, reason },
		]);
	});

	test('is refused as too large only if the overpayment would exceed the owner’s limit', () => {
		const desk = new Desk({ ...POLICY, overpayLimit: rupiah(12_500) }).open().escrow('0x46').stack('0x46').escrow('0x45');
		expect(desk.returned()).toEqual([]);
		const less = new Desk({ ...POLICY, overpayLimit: rupiah(12_499) }).open().escrow('0x46').stack('0x46').escrow('0x45');
		expect(less.returned()).toEqual(['too_large']);
	});
});

describe('the acceptor’s state', () => {
	test('is logged and shown, but a missing note map takes precedence', () => {
		const desk = new Desk().open().hear({ kind: 'state', state: 'bill_jam' });
		expect(desk.told().at(-1)).toEqual(shownAs('bill_jam'));
		expect(desk.logged().at(-1)).toMatchObject(['acceptor.state', { state: 'bill_jam' }]);
		const unmapped = new Desk({ ...POLICY, notes: new Map() }).open();
		expect(unmapped.told()).toEqual([shownAs('note_map_missing')]);
		expect(unmapped.commands()).toEqual([]);
	});

	test('busy is shown until the acceptor is ready', () => {
		const desk = new Desk().hear({ kind: 'state', state: 'busy' }).open();
		expect(desk.told()).toEqual([shownAs('busy')]);
		expect(desk.hear({ kind: 'state', state: 'ready' }).told().at(-1)).toEqual(READY);
	});

	test('ready without a session is shown as inhibited', () => {
		expect(new Desk().hear({ kind: 'state', state: 'ready' }).told()).toEqual([shownAs('inhibited')]);
	});

	test('of a pulled-back note locks the acceptor with one record, even if the state is reported twice', () => {
		const desk = new Desk().hear({ kind: 'state', state: 'bill_jam' });
		expect(desk.records()).toEqual([]);
		desk.hear({ kind: 'state', state: 'bill_fish' }).hear({ kind: 'state', state: 'bill_fish' });
		const why = 'the acceptor reported that a note was pulled back';
		expect(desk.records()).toEqual(['acceptor_lock']);
		expect(desk.written().at(-1)).toMatchObject({ locked: true, why });
		expect(desk.logged()).toContainEqual(['acceptor.locked', expect.objectContaining({ why })]);
	});
});

describe('a disk that refuses writes', () => {
	const refused = (desk: Desk) => {
		desk.failWrites = true;
		return desk;
	};

	test.each<[string, AcceptorReport]>([
		['credit', { kind: 'stacked', accepted: true, late: false, code: '0x45' }],
		['return', { kind: 'returned', accepted: true }],
		['doubt', DOUBT],
	])('puts the note in doubt and logs the missing record (record of the %s)', (_what, report) => {
		const desk = refused(new Desk().open().escrow('0x45')).hear(report);
		const note_id = desk.noteId();
		expect(desk.logged().slice(-2)).toMatchObject([
			['cash.credit_not_recorded', { note_id }],
			['cash.note_in_doubt', { note_id, nominal: 50_000, invoice, payment_id: 7, why: 'no space' }],
		]);
		expect(desk.state).toMatchObject({
			note: null,
			doubtful: { note_id },
			trouble: 'disk_full',
			session: { inDoubt: [{ nominal: 50_000 }] },
		});
	});

	test('does not prevent the message "paid" to the customer', () => {
		const desk = refused(new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').stack('0x45')).do({
			kind: 'paid_by_back_office',
			key: KEY,
		});
		expect(desk.told()).toContainEqual(paidText(INVOICE));
		expect(desk.told().at(-1)).toEqual(shownAs('disk_full'));
	});

	test('causes no record when it recovers, if no note is in doubt', () => {
		const desk = new Desk().open().do({ kind: 'journal', trouble: 'disk_full' });
		const before = desk.records();
		expect(desk.do({ kind: 'journal', trouble: null }).records()).toEqual(before);
		expect(desk.told().at(-1)).toEqual(READY);
	});
});

test('a covered invoice that is opened again is still covered, but another invoice is not', () => {
	const covered = () => new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').stack('0x45');
	const again = (nominals: number[]) =>
		covered().do({
			kind: 'open',
			payment: INVOICE,
			entries: nominals.map((nominal) => ({ note_id: randomUUID(), nominal: rupiah(nominal), time: '' })),
			paid: null,
			paid_id: randomUUID(),
		}).state;
	expect(again([100_000, 50_000])).toMatchObject({ enabled: false, session: { paid: 'covered' } });
	// The back office has withdrawn a payment made elsewhere.
	expect(again([100_000])).toMatchObject({ enabled: true, session: { paid: 'no' } });
	const other = covered().do({ kind: 'open', payment: { ...INVOICE, id: 8 }, entries: [], paid: null, paid_id: randomUUID() });
	expect(other.state).toMatchObject({ enabled: true, session: { paid: 'no' } });
});

test('an invoice of 0 rupiah without received money is not covered', () => {
	const desk = new Desk().do({ kind: 'open', payment: { ...INVOICE, total: rupiah(0) }, entries: [], paid: null, paid_id: randomUUID() });
	expect([desk.count('wait_for_paid'), desk.state.session?.paid]).toEqual([0, 'no']);
});

test('without a session, late events change nothing', () => {
	const desk = new Desk()
		.do({ kind: 'paid_wait_over', key: KEY })
		.do({ kind: 'back_office_unreachable' })
		.do({ kind: 'close' })
		.hear(DOUBT);
	expect([desk.records(), desk.closed()]).toEqual([[], 0]);
});

describe('unconfirmed settings', () => {
	const unconfirmed = (yes: boolean) => ({ kind: 'settings', unconfirmed: yes }) as const;

	test('no note is taken until the settings are confirmed, and then the open session continues', () => {
		const desk = new Desk().do(unconfirmed(true)).open();
		expect([desk.commands(), desk.told().at(-1)]).toEqual([[], shownAs('settings_unconfirmed')]);
		desk.escrow('0x45');
		expect([desk.commands(), desk.returned()]).toEqual([['reject'], ['settings_unconfirmed']]);
		desk.do(unconfirmed(false));
		expect([desk.commands().at(-1), desk.told().at(-1)]).toEqual(['enable', READY]);
	});

	test('a fault of the acceptor is shown instead of unconfirmed settings', () => {
		const desk = new Desk().do(unconfirmed(true)).hear({ kind: 'state', state: 'bill_jam' });
		expect(desk.told().at(-1)).toEqual(shownAs('bill_jam'));
		expect(desk.hear({ kind: 'state', state: 'inhibited' }).told().at(-1)).toEqual(shownAs('settings_unconfirmed'));
	});
});

describe('a frozen screen', () => {
	const picture = (frozen: boolean) => ({ kind: 'picture', frozen }) as const;

	test('inhibits the acceptor and is logged once; when it draws again, the session continues with its money', () => {
		const desk = new Desk().open().escrow('0x45').stack('0x45').do(picture(true)).do(picture(true));
		expect(desk.commands().slice(-1)).toEqual(['inhibit']);
		expect(desk.told().at(-1)).toEqual(shownAs('screen_frozen'));
		const about = { invoice, payment_id: 7, received: 50_000 };
		expect(desk.logged().filter(([id]) => id === 'cash.screen_frozen')).toEqual([['cash.screen_frozen', about]]);
		desk.escrow('0x45');
		expect([desk.commands().at(-1), desk.returned()]).toEqual(['reject', ['screen_frozen']]);
		desk.do(picture(false));
		expect(desk.logged().at(-1)).toEqual(['cash.screen_drawn', about]);
		expect([desk.commands().at(-1), desk.told().at(-1)]).toEqual(['enable', READY]);
		expect(desk.escrow('0x45').stack('0x45').state.session?.entries).toHaveLength(2);
	});

	test('is shown only if no other fault is shown; when the screen draws again, the acceptor stays closed if another reason exists', () => {
		const jammed = new Desk().open().do(picture(true)).hear({ kind: 'state', state: 'bill_jam' });
		expect(jammed.told().at(-1)).toEqual(shownAs('bill_jam'));
		const full = new Desk().open().do(picture(true)).do({ kind: 'journal', trouble: 'disk_full' }).do(picture(false));
		expect([full.told().at(-1), full.state.enabled]).toEqual([shownAs('disk_full'), false]);
		const doubtful = new Desk().open().escrow('0x45').do(picture(true)).hear(DOUBT).do(picture(false));
		expect([doubtful.told().at(-1), doubtful.state.enabled]).toEqual([shownAs('note_in_doubt'), false]);
		const covered = new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').do(picture(true)).stack('0x45');
		expect([covered.told().at(-1), covered.do(picture(false)).state.enabled]).toEqual([shownAs('inhibited'), false]);
	});

	test('keeps the acceptor closed when the session is reopened, and has no effect without a session', () => {
		expect(new Desk().open().do(picture(true)).open().state.enabled).toBe(false);
		const none = new Desk().do(picture(true));
		expect([none.logged(), none.open().state.enabled]).toEqual([[], true]);
	});
});
