import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { acceptorReported } from './acceptor.ts';
import {
	cashReducer,
	closeAnswered,
	machineAsked,
	machineFailed,
	machineOpened,
	moneyInvolved,
	noteInDoubt,
	noteMoving,
	noteReceived,
	noteReturned,
	receivedOf,
} from './cash.ts';
import { socketClosed } from './connection.ts';
import { visitEnded } from './visit.ts';

const note = (note_id: string, nominal: number) => ({ note_id, nominal: rupiah(nominal), time: '2026-11-21T10:00:00+07:00' });
const asked = (id: number | string = 42) => machineAsked({ id, known: [] });
const after = (...actions: Parameters<typeof cashReducer>[1][]) => actions.reduce(cashReducer, cashReducer(undefined, { type: 'start' }));
const opened = (...entries: ReturnType<typeof note>[]) => machineOpened({ machine_ready: true, message: 'Ready', entries, is_paid: false });

test('[spec 3.9] if a note is reported twice, it counts once', () => {
	const cash = after(asked(), opened(), noteReceived(note('a', 50_000)), noteReceived(note('a', 50_000)));
	expect(receivedOf(cash)).toBe(50_000);
});

test('the daemon’s list replaces the entries on the screen', () => {
	const cash = after(asked(), noteReceived(note('a', 50_000)), opened(note('b', 20_000)), asked(), opened(note('b', 20_000)));
	expect(cash.entries.map((entry) => entry.note_id)).toEqual(['b']);
});

test('if a note is reported while the open-machine call is running, it stays even if the answer contains an older list', () => {
	const cash = after(asked(), noteReceived(note('late', 100_000)), opened(note('a', 50_000)));
	expect(cash.entries.map((entry) => entry.note_id)).toEqual(['a', 'late']);
	expect(receivedOf(after(asked(), noteReceived(note('a', 50_000)), opened(note('a', 50_000))))).toBe(50_000);
});

test('the payments that the back office knows are shown until the daemon’s list replaces them', () => {
	const known = [{ note_id: null, nominal: rupiah(100_000), time: '' }];
	expect(receivedOf(after(machineAsked({ id: 42, known }), machineFailed()))).toBe(100_000);
	expect(receivedOf(after(machineAsked({ id: 42, known }), opened(note('a', 50_000))))).toBe(50_000);
});

test('two earlier payments that have no note id are both kept', () => {
	const entry = { note_id: null, nominal: rupiah(10_000), time: '' };
	const cash = after(asked(), machineOpened({ machine_ready: true, message: '', entries: [entry, entry], is_paid: false }));
	expect(receivedOf(cash)).toBe(20_000);
});

test('if the acceptor is opened again for the same payment, the entries stay, no matter whether the id is a string or a number', () => {
	expect(after(asked(42), opened(note('a', 50_000)), asked('42')).entries).toHaveLength(1);
	expect(after(asked(42), opened(note('a', 50_000)), asked(43)).entries).toHaveLength(0);
});

test('a note stops moving when it is credited, returned or in doubt, or when the socket closes', () => {
	const moving = [asked(), opened(), noteMoving(rupiah(50_000))] as const;
	expect(after(...moving).moving).toBe(50_000);
	expect(after(...moving, noteReceived(note('a', 50_000))).moving).toBeNull();
	expect(after(...moving, noteReturned({ nominal: rupiah(50_000), reason: 'too_large' })).moving).toBeNull();
	expect(after(...moving, noteInDoubt({ note_id: 'd', nominal: rupiah(50_000) })).moving).toBeNull();
	expect(after(...moving, socketClosed()).moving).toBeNull();
});

test('the next note clears the reason of the returned note', () => {
	const returned = noteReturned({ nominal: null, reason: 'unreadable' });
	expect(after(asked(), opened(), returned, noteMoving(rupiah(1_000))).returned).toBeNull();
});

test('if a note in doubt is reported twice, it is listed once', () => {
	const doubt = noteInDoubt({ note_id: 'd', nominal: rupiah(50_000) });
	expect(after(asked(), opened(), doubt, doubt).doubts).toHaveLength(1);
});

test('the answer to the close call replaces the list of received notes; without an answer the list stays', () => {
	const answer = { entries: [note('a', 50_000), note('b', 20_000)], received: rupiah(70_000), is_paid: false, in_doubt: rupiah(0) };
	const before = [asked(), opened(note('a', 50_000))] as const;
	expect(receivedOf(after(...before, closeAnswered(answer)))).toBe(70_000);
	expect(receivedOf(after(...before, closeAnswered(null)))).toBe(50_000);
});

test('money of the customer is or may be in the kiosk if a note is received, moving or in doubt', () => {
	expect(moneyInvolved(after(asked(), opened()))).toBe(false);
	expect(moneyInvolved(after(asked(), opened(note('a', 1_000))))).toBe(true);
	expect(moneyInvolved(after(asked(), opened(), noteMoving(rupiah(1_000))))).toBe(true);
	expect(moneyInvolved(after(asked(), opened(), noteInDoubt({ note_id: 'd', nominal: rupiah(1_000) })))).toBe(true);
});

test('the end of the visit clears the cash state', () => {
	expect(after(asked(), opened(note('a', 50_000)), visitEnded())).toEqual(cashReducer(undefined, { type: 'start' }));
});

test('a note in doubt is no longer shown after it is credited or the daemon takes notes again', () => {
	const doubt = noteInDoubt({ note_id: 'a', nominal: rupiah(50_000) });
	expect(after(asked(), opened(), doubt, noteReceived(note('b', 50_000))).doubts).toHaveLength(1);
	expect(after(asked(), opened(), doubt, noteReceived(note('a', 50_000))).doubts).toEqual([]);
	expect(after(asked(), opened(), doubt, acceptorReported({ state: 'note_in_doubt', is_ready: false })).doubts).toHaveLength(1);
	expect(after(asked(), opened(), doubt, acceptorReported({ state: 'ready', is_ready: true })).doubts).toEqual([]);
});
