import { expect, test } from 'vitest';
import { VirtualClock } from '../../tests/support/virtual-clock.ts';
import { startAnchors } from './journal-anchor.ts';

const QUARTER_MS = 15 * 60_000;
const NEWEST = { record: 12, hash: 'ab'.repeat(32) };

function start(path: string, trouble: string | null = null) {
	const clock = new VirtualClock();
	const sent: string[] = [];
	const logged: [string, object][] = [];
	const anchors = startAnchors({
		journal: {
			trouble: () => trouble,
			newest: () => NEWEST,
			cashbox: {
				due: () => ({
					number: 3,
					expected: 70_000,
					notes: [
						{ nominal: 50_000, count: 1 },
						{ nominal: 20_000, count: 1 },
					],
				}),
			},
		} as never,
		call: async ({ path: to, body }) => {
			sent.push(`${to} ${body?.toString()}`);
			return { ok: true, value: { status: 404 } } as never;
		},
		token: { current: () => ({ token: { reveal: () => 'secret' } }) } as never,
		path,
		csrf: { csrf_cookie: 'csrftoken', csrf_header: 'X-CSRFToken' },
		clock,
		timestamp: () => '2026-11-24T10:00:00+07:00',
		log: { event: (id: string, fields: object) => logged.push([id, fields]) } as never,
	});
	return { clock, sent, logged, anchors };
}

test('every 15 minutes, the daemon logs the newest record and the expected cashbox content and sends both to the back office', async () => {
	const { clock, sent, logged, anchors } = start('/anchor');
	expect(anchors.last()).toBeNull();
	await clock.advance(QUARTER_MS);
	await clock.advance(QUARTER_MS);
	const anchor = { ...NEWEST, period: 3, notes: 2, expected: 70_000 };
	expect(anchors.last()).toEqual(anchor);
	expect(sent).toHaveLength(2);
	expect(sent[0]).toContain(JSON.stringify({ ...anchor, time: '2026-11-24T10:00:00+07:00' }));
	expect(logged.slice(0, 2)).toEqual([
		['journal.anchor', anchor],
		['journal.anchor_not_sent', { record: 12, reason: 'status 404' }],
	]);
	anchors.stop();
	await clock.advance(QUARTER_MS);
	expect(sent).toHaveLength(2);
});

test('if the settings give no path for anchors, an anchor is only logged; while the journal reports trouble, there is no anchor', async () => {
	const only = start('');
	await only.clock.advance(QUARTER_MS);
	expect([only.sent.length, only.logged.length]).toEqual([0, 1]);
	const broken = start('/anchor', 'the disk is full');
	await broken.clock.advance(QUARTER_MS);
	expect([broken.sent.length, broken.logged.length, broken.anchors.last()]).toEqual([0, 0, null]);
});
