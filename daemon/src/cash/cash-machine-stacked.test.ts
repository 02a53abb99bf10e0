/**
 * A STACKED report that matches no note in flight or in doubt is credited to no payment. Each such
 * report is recorded or logged, and no note counts twice.
 */

import type { AcceptorState } from '@kiosk/contract/live';
import { describe, expect, test } from 'vitest';
import type { AcceptorReport } from '../acceptor/driver.ts';
import type { JournalRecord } from '../journal/records.ts';
import { Desk, POLICY, settle } from './cash-machine.fixture.ts';

/** An outcome is missing although the line stayed open the whole time. */
const SILENCE: AcceptorReport = { kind: 'outcome_missing', why: 'silence', other: false };
/** An outcome is missing, and another note may have come meanwhile, because the line was closed. */
const LOST: AcceptorReport = { kind: 'outcome_missing', why: 'the line was away', other: true };
/** A STACKED that the driver cannot assign to the accepted note. */
const STRAY: AcceptorReport = { kind: 'stacked', accepted: false, late: false, code: null };
/** A STACKED that the driver assigns to the accepted note. */
const ITS_OWN: AcceptorReport = { kind: 'stacked', accepted: true, late: true, code: '0x45' };

const inDoubt = (report = SILENCE, code = '0x45') => {
	const desk = new Desk().open().escrow(code).hear(report);
	return { desk, note_id: desk.state.doubtful?.note_id ?? expect.fail('no note is in doubt') };
};
/** Kinds of the records written after the first `before` records. */
const since = (desk: Desk, before: number): string[] => desk.records().slice(before);
const written = (desk: Desk): JournalRecord[] => desk.happened.flatMap((effect) => (effect.kind === 'written' ? [effect.record] : []));

describe('a note that staff found in the cashbox', () => {
	test.each([
		['after a lost line', LOST, undefined],
		['after a silence and a jam', SILENCE, 'bill_jam'],
	] as const)('%s does not explain a STACKED that comes minutes later', (_what, report, state) => {
		const { desk, note_id } = inDoubt(report);
		if (state) desk.hear({ kind: 'state', state });
		desk.do(settle(note_id, true)).do({ kind: 'suspect_over', note_id });
		const before = desk.records().length;
		desk.hear(STRAY);
		expect(since(desk, before)).toEqual(['cash_unexplained']);
		expect(desk.state.session?.entries).toHaveLength(1);
	});

	test('does not explain a STACKED that comes at once, if another note may have been inserted', () => {
		for (const [report, state] of [
			[LOST, undefined],
			[SILENCE, 'bill_jam'],
		] as const) {
			const { desk, note_id } = inDoubt(report);
			if (state) desk.hear({ kind: 'state', state });
			desk.do(settle(note_id, true)).hear(STRAY);
			expect(desk.records().at(-1)).toBe('cash_unexplained');
		}
	});

	test('explains one late STACKED and is not counted again; the next STACKED is listed for staff', () => {
		const { desk, note_id } = inDoubt();
		desk.do(settle(note_id, true));
		const before = desk.records().length;
		desk.hear(ITS_OWN);
		expect([since(desk, before), desk.state.session?.entries.length]).toEqual([[], 1]);
		expect(desk.logged().at(-1)).toMatchObject(['cash.found_again', { note_id }]);
		expect(since(desk.hear(ITS_OWN), before)).toEqual(['cash_unexplained']);
	});

	test('does not explain a late STACKED of another note, which staff settled as returned', () => {
		const { desk, note_id } = inDoubt();
		desk
			.do(settle(note_id, false))
			.do(settle('an older one', true, 20_000))
			.do(settle('an unknown note', true, 20_000, null));
		desk.hear(ITS_OWN);
		expect(written(desk).at(-1)).toMatchObject({ kind: 'cash_unexplained', nominal: 50_000 });
	});

	test('no longer explains a STACKED after the next note is taken', () => {
		const { desk, note_id } = inDoubt();
		desk.do(settle(note_id, true)).escrow('0x46').hear(SILENCE);
		const second = desk.state.doubtful?.note_id ?? expect.fail('no note is in doubt');
		desk.do(settle(second, false)).hear({ ...ITS_OWN, code: '0x46' });
		expect(written(desk).at(-1)).toMatchObject({ kind: 'cash_unexplained', nominal: 100_000 });
	});
});

describe('evidence about a note in doubt', () => {
	const evidence = (desk: Desk) => desk.hear(STRAY).records().at(-1) === 'cash_evidence';
	/** Sends the desk a report whose record the disk refuses. */
	const unwritten = (desk: Desk, report: AcceptorReport): Desk => {
		desk.failWrites = true;
		desk.hear(report);
		desk.failWrites = false;
		return desk;
	};

	test('is recorded only if the line stayed open, so that no other note can have been inserted', () => {
		expect(evidence(inDoubt(SILENCE).desk)).toBe(true);
		expect(evidence(inDoubt(LOST).desk)).toBe(false);
	});

	test.each<[AcceptorState, boolean]>([
		['starting', true],
		['inhibited', true],
		['ready', true],
		['busy', true],
		['disconnected', false],
		['silent', false],
		['garbled', false],
		['motor_failure', false],
		['rom_checksum', false],
		['bill_jam', false],
		['bill_removed', false],
		['cashbox_open', false],
		['sensor_problem', false],
		['communication_failure', false],
		['bill_fish', false],
		['stacker_problem', false],
	])('is recorded after the acceptor state %s: %s', (state, expected) => {
		for (const desk of [inDoubt().desk, new Desk(POLICY, 'the note of the earlier run')])
			expect(evidence(desk.hear({ kind: 'state', state }))).toBe(expected);
	});

	test('is not recorded after the acceptor has seen another note, even an unreadable note', () => {
		expect(evidence(new Desk(POLICY, 'a').hear({ kind: 'refused', reason: 'unreadable' }))).toBe(false);
		expect(evidence(inDoubt().desk.hear({ kind: 'refused', reason: 'rejected_by_machine' }))).toBe(false);
		expect(evidence(new Desk(POLICY, 'a').escrow('0x45'))).toBe(false);
	});

	test('is not recorded after the note’s outcome, even if that outcome could not be written', () => {
		for (const outcome of [
			{ kind: 'stacked', accepted: true, late: false, code: '0x45' },
			{ kind: 'returned', accepted: true },
		] as const) {
			expect(evidence(unwritten(new Desk().open().escrow('0x45'), outcome))).toBe(false);
		}
		for (const outcome of [ITS_OWN, { kind: 'returned', accepted: true }] as const)
			expect(evidence(unwritten(inDoubt().desk, outcome))).toBe(false);
	});

	test('is recorded even if the kiosk could not record that the note is in doubt', () => {
		expect(evidence(unwritten(new Desk().open().escrow('0x45'), SILENCE))).toBe(true);
	});
});

test('if the credit of a late STACKED cannot be written, the note is credited once after recovery', () => {
	const { desk, note_id } = inDoubt();
	desk.failWrites = true;
	desk.hear(ITS_OWN);
	expect(desk.state).toMatchObject({ doubtful: { note_id }, session: { entries: [], inDoubt: [{ note_id }] } });
	desk.heal().heal();
	expect(desk.records().filter((kind) => kind === 'cash_credit')).toHaveLength(1);
	expect(desk.state).toMatchObject({ doubtful: null, enabled: true, session: { inDoubt: [], entries: [{ note_id }] } });
});

describe('notes of one invoice in doubt', () => {
	test.each([20_000, 50_000, 100_000])(
		'if the older note (%i rupiah) is settled, the acceptor stays closed because of the newer note',
		(nominal) => {
			for (const inBox of [true, false]) {
				const { desk, note_id } = inDoubt();
				desk.do(settle('the one of the earlier visit', inBox, nominal));
				expect(desk.state).toMatchObject({ enabled: false, shown: 'note_in_doubt', session: { inDoubt: [{ note_id }] } });
				expect(desk.escrow('0x45').returned().at(-1)).toBe('closing');
				desk.do(settle(note_id, false));
				expect(desk.state.session?.inDoubt).toEqual([]);
			}
		},
	);

	test('if the customer leaves and returns, the acceptor opens, and a late STACKED still credits the note', () => {
		const { desk } = inDoubt();
		desk.do({ kind: 'close' }).open();
		expect(desk.state).toMatchObject({ enabled: true, session: { inDoubt: [], entries: [] } });
		desk.hear(ITS_OWN);
		expect(desk.state.session?.entries).toMatchObject([{ nominal: 50_000 }]);
	});
});
