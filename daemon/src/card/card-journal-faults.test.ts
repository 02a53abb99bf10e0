/** A journal that fails during a sale, and a process that dies at a write. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Crash } from './card-machine.fixture.ts';
import { bench, benchOfEachTest, heal, settle, staff } from './card-steps.fixture.ts';

benchOfEachTest();

describe('a journal that fails', () => {
	test.each(['disk_full', 'broken'] as const)(
		'(%s) before the outcome: the sale is unknown and not acknowledged; after recovery the answer counts',
		async (trouble) => {
			bench.start().ack();
			bench.trouble = trouble;
			bench.answer();
			expect(bench.phases().at(-1)).toBe('unknown');
			expect([bench.acknowledged, bench.responses()]).toEqual([[], []]);
			await heal();
			expect(bench.sale()?.state).toBe('approved');
			expect(bench.acknowledged).toEqual(['approved']);
			expect([bench.phases().at(-1), bench.state(), bench.relayed > 0]).toEqual(['approved', 'ready', true]);
		},
	);

	test('at a start: no card is accepted before the running sale is recorded as unknown', async () => {
		bench.start().ack();
		bench.trouble = 'disk_full';
		bench.restart();
		expect(bench.state()).toBe('disk_full');
		bench.start();
		expect(bench.phases()).toEqual(['unknown']);
		await heal();
		expect([bench.sale()?.state, bench.state()]).toEqual(['unknown', 'unresolved']);
	});

	test('before the record of silence: the sale is unknown after recovery', async () => {
		bench.start().ack();
		bench.trouble = 'disk_full';
		bench.silent();
		await heal();
		expect(bench.sale()?.state).toBe('unknown');
		expect(bench.state()).toBe('unresolved');
	});
});

describe('while the journal is closed', () => {
	test.each(['not_charged', 'charged'] as const)('a decision (%s) stored despite an error loses no later approval', async (outcome) => {
		bench.start().silent();
		bench.trouble = 'broken_but_kept';
		expect(await settle(outcome)).toMatchObject({ code: 'journal' });
		bench.trouble = 'broken';
		bench.answer();
		await heal();
		const isContradicted = outcome === 'not_charged';
		expect([bench.sale()?.state, bench.state()]).toEqual(isContradicted ? ['unknown', 'unresolved'] : ['approved', 'ready']);
		expect(bench.acknowledged).toHaveLength(1);
	});

	test.each([
		['charged', '00', 'unknown'],
		['charged', '12', 'approved'],
		['not_charged', '00', 'not_charged'],
		['not_charged', '12', 'unknown'],
	] as const)('after the decision %s, on disk despite a write error, a void answer %s leaves the sale %s', async (outcome, code, state) => {
		bench.start().answer();
		void staff('void');
		const { id } = bench.requests.at(-1) ?? { id: '' };
		bench.report({ kind: 'silent', request_id: id, why: 'no answer' });
		expect(bench.sale()?.state).toBe('unknown');
		bench.trouble = 'broken_but_kept';
		await settle(outcome);
		bench.trouble = 'broken';
		bench.answer({ type: 'void', code }, id);
		await heal();
		expect(bench.sale()?.state).toBe(state);
		expect(bench.acknowledged).toHaveLength(2);
	});

	test.each([
		['written', null],
		['on disk although its write failed', 'broken_but_kept'],
	] as const)('a sale that was declined (its record is %s) is unknown after a late ACK', async (_, atDecline) => {
		bench.start();
		const { id } = bench;
		bench.trouble = atDecline;
		bench.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		bench.trouble = 'broken';
		bench.journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'test' });
		bench.report({ kind: 'acked', request_id: id });
		await heal();
		expect([bench.sale()?.state, bench.state()]).toEqual(['unknown', 'unresolved']);
	});

	test('an answer that the terminal repeats is recorded once', async () => {
		bench.start().ack();
		bench.trouble = 'broken';
		const charge = { rrn: '000000000042', approval: '000042', invoice: '000042' };
		bench.answer(charge);
		for (let times = 0; times < 10; times += 1) bench.answer(charge, null);
		await heal();
		expect([bench.sale()?.state, bench.state()]).toEqual(['approved', 'ready']);
		expect(bench.desk.unwritten()).toEqual([]);
	});
});

describe('the process dies at a write', () => {
	const story = (): void => void bench.start().ack().answer();

	for (const when of ['before', 'after'] as const)
		for (const n of [1, 2])
			test(`${when} write ${n}: the card is not charged twice, and every possible charge is listed or paid`, () => {
				let writes = 0;
				bench.onWrite = (at, record) => {
					if (record.kind.startsWith('card_') && at === when && ++writes === n) throw new Crash();
				};
				expect(story).toThrow(Crash);
				bench.onWrite = () => {};
				bench.restart();
				const asked = bench.requests.length;
				const approved = bench.sale()?.state === 'approved';
				expect(approved).toBe(when === 'after' && n === 2);
				if (asked > 0 && !approved) expect(bench.journal.cards.unknown()).toHaveLength(1);
				bench.start();
				expect(bench.requests).toHaveLength(asked > 0 || when === 'after' ? asked : 1);
				if (approved) expect(bench.paid()).toEqual([7]);
			});
});
