// @module-tag deep
/** `kioskctl journal restart` after money moved that the damaged journal could not take. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { changeRecord, stateBeside } from '../../support/journal-file.ts';
import { partText } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

/** Rp 137.500. */
const BUDI = '081234567890';
/** Rp 137.500. */
const AHMAD = '081200000013';
const STACKED = 0x10;

test('a note, a removed cashbox and a charge that no journal could take are listed for staff', async () => {
	const kiosk = await kioskForTest({ edc: {}, environment: stateBeside });
	const { acceptor, edc } = kiosk;
	const states = () => kiosk.daemon.events('acceptor.state').map(({ state }) => state);
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
	const screen = await kiosk.screen();
	await until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state: 'ready' }));
	const { id, odoo_id, noinvoice, total } = await kiosk.lookUp(AHMAD);
	const data = { amount: total, id, odoo_id, noinvoice };
	screen.send({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data } });
	await until(() => expect(edc.terminal.waiting).not.toBeNull());

	await kiosk.crash(() => changeRecord(join(kiosk.directory, 'journal')));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('does not match its hash'));
	await until(() => expect(states().at(-1)).toBe('inhibited'));
	await until(() => expect(edc.terminal.tap({ respCode: '00' })).toBe(true));
	acceptor.line.send([STACKED]);
	await until(() => expect(kiosk.daemon.events('cash.note_unexplained')).toHaveLength(1));
	acceptor.device.removeCashbox();
	await until(() => expect(states().at(-1)).toBe('cashbox_open'));
	acceptor.device.returnCashbox();
	await until(() => expect(states().at(-1)).toBe('inhibited'));

	const { out } = await kiosk.ctl('journal', 'restart', '--by', 'Teknisi', '--why', 'disk exchanged', '--yes');
	const listed = out.slice(out.indexOf('no journal has it:'));
	expect(listed).toMatch(/kind cash_unexplained, note_id [0-9a-f-]{36}, time /);
	expect(listed).toMatch(/kind cashbox_removed, /);
	expect(listed).toMatch(/kind card_answer, type sale, code 00, amount 137500, /);
	const [folder = ''] = /\S+set-aside-\w+/.exec(out) ?? [];
	const kept = JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8')) as { unwritten: { kind: string }[] };
	expect(kept.unwritten.map(({ kind }) => kind).sort()).toEqual(['card_answer', 'cash_unexplained', 'cashbox_removed', 'cashbox_returned']);
	expect(await kiosk.daemon.ended).toBe(0);
});
