import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { type KioskUse, LEAST_IDLE_MS, restartLease } from './restart-lease.ts';

const IDLE: KioskUse = {
	stopping: false,
	cash: [],
	card: [],
	printing: false,
	sending: false,
	commissioning: false,
	calls: 0,
	code: false,
	idle_ms: LEAST_IDLE_MS,
};

function desk(use: Partial<KioskUse> = {}) {
	const clock = new VirtualClock();
	const logged: unknown[] = [];
	const found = { ...IDLE, ...use };
	const lease = restartLease({
		use: () => found,
		clock: clock.ofProcess(() => true),
		timestamp: (at) => at.toISOString(),
		log: { event: (id, fields) => void logged.push([id, fields]) },
	});
	return { lease, clock, logged, found };
}
const codesOf = (answer: ReturnType<ReturnType<typeof desk>['lease']['ask']>) =>
	answer.granted ? [] : answer.reasons.map(({ code }) => code);

test('an idle kiosk grants the restart for the requested time', () => {
	const { lease, logged } = desk();
	expect(lease.stands()).toBe(false);
	expect(lease.ask('update', 60)).toEqual({ granted: true, until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
	expect(lease.stands()).toBe(true);
	expect(logged).toEqual([['update.restart_granted', { by: 'update', seconds: 60 }]]);
});

const IN_THE_WAY: [string, Partial<KioskUse>][] = [
	['session', { cash: ['session'] }],
	['note', { cash: ['note'] }],
	['doubt', { cash: ['doubt'] }],
	['cashbox', { cash: ['cashbox'] }],
	['unwritten', { cash: ['unwritten'] }],
	['unwritten', { card: ['unwritten'] }],
	['card', { card: ['card'] }],
	['card_unknown', { card: ['card_unknown'] }],
	['printing', { printing: true }],
	['sending', { sending: true }],
	['commissioning', { commissioning: true }],
	['call', { calls: 1 }],
	['code', { code: true }],
	['screen', { idle_ms: LEAST_IDLE_MS - 1 }],
	['stopping', { stopping: true }],
];
test.each(IN_THE_WAY)('a restart is refused, and the answer gives the reason: %s', (code, use) => {
	const { lease } = desk(use);
	expect(lease.ask('update', 60)).toEqual({ granted: false, reasons: [{ code, text: expect.stringMatching(/^[a-z].{15,}/) }] });
	expect(lease.stands()).toBe(false);
});

test('the refusal of a restart lists every reason; unchanged reasons are logged only once', () => {
	const { lease, logged, found } = desk({ cash: ['session', 'note'], printing: true });
	expect(codesOf(lease.ask('update', 60))).toEqual(['session', 'note', 'printing']);
	lease.ask('update', 60);
	expect(logged).toEqual([['update.restart_refused', { by: 'update', reasons: ['session', 'note', 'printing'] }]]);
	Object.assign(found, IDLE);
	expect(lease.ask('update', 60).granted).toBe(true);
});

test('recent use of the screen does not prevent a restart requested by a person; other reasons do', () => {
	expect(desk({ idle_ms: 0 }).lease.ask('person', 60).granted).toBe(true);
	expect(codesOf(desk({ idle_ms: 0, code: true }).lease.ask('person', 60))).toEqual(['code']);
});

test('the permission to restart expires after the requested time or when it is given back', () => {
	const { lease, clock, logged } = desk();
	lease.ask('update', 60);
	clock.advance(59_999);
	expect(lease.stands()).toBe(true);
	clock.advance(1);
	expect(lease.stands()).toBe(false);
	expect(logged.at(-1)).toEqual(['update.restart_lapsed', { by: 'update' }]);
	lease.ask('person', 60);
	lease.giveBack();
	expect(lease.stands()).toBe(false);
	expect(logged.at(-1)).toEqual(['update.restart_given_back', {}]);
	clock.advance(120_000);
	expect(logged.at(-1)).toEqual(['update.restart_given_back', {}]);
});
