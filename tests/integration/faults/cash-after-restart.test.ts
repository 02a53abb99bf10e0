// @module-tag deep
/**
 * Tests `kioskctl journal restart` with a lock, an unsaved count, owed change and receipts in the
 * old journal.
 */
import { join } from 'node:path';
import type { SlipVerdict } from '@kiosk/contract/slip-check';
import { expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { feedNote } from '../../support/feed-note.ts';
import { changeRecord, stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, partText, printerSection } from '../../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

/** Rp 137.500. */
const BUDI = '081234567890';
/** Rp 137.500. */
const AHMAD = '081200000013';

test('when a new journal begins, the acceptor stays locked, an unsaved count is discarded, owed change is listed, and old receipts are no longer confirmed as genuine', async () => {
	const printer = await printerForTest(10);
	const kiosk: Kiosk = await kioskForTest({ settings: printerSection(printer.uri), environment: stateBeside });
	await kiosk.screen();
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	const papers = () => printer.queue.receipts.map(({ data }) => escposText(data));
	const check = async (code: string): Promise<SlipVerdict> => {
		await kiosk.staff();
		return (await kiosk.post('/kiosk/staff/slip', { code })).body as unknown as SlipVerdict;
	};
	async function overpays(hp: string): Promise<{ code: string; noinvoice: string }> {
		const before = papers().length;
		const { id, noinvoice } = await kiosk.openCash(hp);
		for (const nominal of [100_000, 50_000]) await feedNote(kiosk, nominal);
		await until(async () => expect((await kiosk.post('/kiosk/print', { id, of: 'invoice' })).status).toBe(202));
		await kiosk.post('/kiosk/cash/close', { id });
		const text = await until(() => {
			expect(papers()).toHaveLength(before + 1);
			return papers().at(-1) ?? '';
		});
		return { code: /Kode +(\S+)/.exec(text)?.[1] ?? '', noinvoice: String(noinvoice) };
	}

	const given = await overpays(BUDI);
	const owed = await overpays(AHMAD);
	const { paper } = await check(given.code);
	const wish = { decision: 'given', nominal: null, by: 'Sari', second: null };
	const { kind, id, amount } = paper?.case ?? {};
	expect(await kiosk.post('/kiosk/staff/cases', { ...wish, kind, id, amount })).toMatchObject({ status: 200 });
	expect((await check(given.code)).verdict).toBe('given');
	expect(await kiosk.post('/kiosk/staff/box/count', { by: 'Sari', notes: [] })).toMatchObject({ status: 200 });
	kiosk.acceptor.device.break('fish');
	await until(async () => expect(partText(await kiosk.health(), 'cash')).toContain('cash is locked'));
	expect(kiosk.daemon.events('acceptor.locked')).toHaveLength(1);

	await kiosk.crash(() => changeRecord(join(kiosk.directory, 'journal')));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('does not match its hash'));
	const { out } = await kiosk.ctl('journal', 'restart', '--by', 'Teknisi', '--why', 'disk exchanged', '--yes');
	expect(out).toMatch(new RegExp(`Change that was not given.*:\n {2}noinvoice ${owed.noinvoice}, change 12500, `));
	expect(out).not.toContain(`noinvoice ${given.noinvoice}`);
	expect(out).toContain('The bill acceptor stays locked (the acceptor reported that a note was pulled back). Inspect it');
	expect(out).toContain('The count of the cashbox that Sari had not saved is void');
	expect(await kiosk.daemon.ended).toBe(0);
	await kiosk.crash();

	await until(async () => expect(partText(await kiosk.health(), 'cash')).toContain('cash is locked'));
	for (const { code } of [given, owed]) expect(await check(code)).toMatchObject({ verdict: 'earlier', paper: null });
	expect((await kiosk.ctl('verify', given.code)).out).toContain('it is not known whether its change was given');
	const box = await fetch(`${kiosk.daemon.url}/kiosk/staff/box`, { headers: kiosk.session() });
	expect(await box.json()).toMatchObject({ result: null, renewed: { dropped: 'Sari' } });

	// The server's list still shows the overpayment. A print from the list must be a copy, because
	// staff may already have given the change.
	const [row] = await kiosk.list(BUDI);
	expect(await kiosk.post('/kiosk/print', { id: row?.id, of: 'list' })).toMatchObject({ status: 202, body: { copy: true } });
	const again = await until(() => {
		expect(papers().at(-1)).toMatch(/SALINAN[\s\S]*Lebih Bayar/);
		return /Kode +(\S+)/.exec(papers().at(-1) ?? '')?.[1] ?? '';
	});
	expect(await check(again)).toMatchObject({ verdict: 'copy', paper: { case: null } });

	kiosk.acceptor.device.clear();
	const unlock = { ...wish, kind: 'lock', id: 'acceptor', amount: null, decision: 'unlocked' };
	expect(await kiosk.post('/kiosk/staff/cases', unlock)).toMatchObject({ status: 200 });
	await until(async () => expect(partText(await kiosk.health(), 'cash')).not.toContain('locked'));
	await kiosk.crash();
	await until(async () => expect(partText(await kiosk.health(), 'cash')).toContain('healthy'));
});
