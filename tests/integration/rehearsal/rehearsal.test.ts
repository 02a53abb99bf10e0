import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Recording, readRecording } from '../../../daemon/src/rehearsal/signed-file.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, type KioskOptions, printerSection, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { answer, begin, look, told } from './technician.ts';

const KIOSKCTL = join(import.meta.dirname, '..', '..', '..', 'daemon', 'kioskctl');
const BUDI = '081234567890';
const QUICK_CARD = 'ack_ms = 500\nanswer_ms = 1500\n';
/** A slow stacker, so that the test can cut the power while a note moves. */
const SLOW_STACKER = { timing: { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 1_000, returnMs: 20 } };

let kiosk: Kiosk;
let printer: Printer | null = null;
afterEach(async () => {
	await kiosk?.stop();
	await printer?.stop();
	printer = null;
});

async function start(options: KioskOptions = {}): Promise<void> {
	kiosk = await startKiosk(options);
}

const device = () => kiosk.acceptor.device;
const insert = (nominal: number) => until(() => expect(device().insert({ nominal })).toMatchObject({ taken: true }));
/** @param out true unplugs the cable, false plugs it in again */
const cut = (out: boolean): void => {
	kiosk.acceptor.line.faults.cut = out;
};

function recordingOf(text: string): Recording {
	const read = readRecording(text);
	if (!read.ok) throw new Error(read.error.reason);
	return read.value.recording;
}

/**
 * If KIOSK_KEEP_RECORDINGS names a folder, saves the file there as a sample for the replay tests.
 */
function keep(file: string, text: string): void {
	const folder = process.env.KIOSK_KEEP_RECORDINGS;
	if (folder) writeFileSync(join(folder, file.replace(/-\d{14}/, '')), text);
}

test('if the power is cut with a note in escrow and the unit returns it, the journal contains no note and the rehearsal passes', {
	tags: 'deep',
}, async () => {
	await start();
	await begin(kiosk, 'power-cut-escrow');
	await told(kiosk, /Bayar Tunai/);
	await kiosk.openCash(BUDI);
	await told(kiosk, /Masukkan satu lembar/);
	await insert(20_000);
	await told(kiosk, /CABUT LISTRIK/);
	await kiosk.crash(() => kiosk.acceptor.restart({ noteEnds: 'returned' }));
	const { verdict, file, text } = await answer(kiosk, [20_000, 20_000, 0]);
	expect(verdict).toBe('passed');
	const recording = recordingOf(text);
	expect(recording.money).toEqual({ notes: [], sales: [], prints: [] });
	expect(new Set(recording.entries.map(({ run }) => run))).toEqual(new Set([1, 2]));
	keep(file, text);
});

test('if the power is cut while a note is stacked, the note is in doubt once, and the rehearsal passes and names a remedy', {
	tags: 'deep',
}, async () => {
	await start({ acceptor: SLOW_STACKER, movableClock: true });
	await begin(kiosk, 'power-cut-stacking');
	await told(kiosk, /Bayar Tunai/);
	await kiosk.openCash(BUDI);
	await insert(50_000);
	await told(kiosk, /SEKARANG/);
	await kiosk.crash(() => kiosk.acceptor.restart({ noteEnds: 'stacked' }));
	await kiosk.afterDoubt();
	const { verdict, remedy, file, text } = await answer(kiosk, [50_000, 0, 50_000]);
	expect([verdict, remedy]).toEqual(['passed', expect.stringContaining('kioskctl status')]);
	expect(recordingOf(text).money.notes).toEqual([{ nominal: 50_000, end: 'in_doubt' }]);
	keep(file, text);
});

test('after the cable is pulled between payments and put back, the next note is credited once', { tags: 'deep' }, async () => {
	await start();
	await begin(kiosk, 'cable-idle');
	cut(true);
	await told(kiosk, /Pasang lagi/);
	cut(false);
	await told(kiosk, /Bayar Tunai/);
	await kiosk.openCash(BUDI);
	await told(kiosk, /Masukkan satu lembar/);
	await feedNote(kiosk, 20_000);
	const { verdict, file, text } = await answer(kiosk, [20_000, 0, 20_000]);
	expect([verdict, recordingOf(text).money.notes]).toEqual(['passed', [{ nominal: 20_000, end: 'credited' }]]);
	keep(file, text);
});

test('if the cable is pulled with a note in escrow and the unit returns it, the journal contains no note', { tags: 'deep' }, async () => {
	await start();
	await begin(kiosk, 'cable-escrow');
	await kiosk.openCash(BUDI);
	await insert(10_000);
	await told(kiosk, /CABUT KABEL/);
	cut(true);
	await told(kiosk, /Pasang lagi/);
	await until(() => expect(device().note).toBe(null));
	cut(false);
	const { verdict, file, text } = await answer(kiosk, [10_000, 10_000, 0]);
	expect([verdict, recordingOf(text).money.notes]).toEqual(['passed', []]);
	keep(file, text);
});

test('if the technician does not pull the cable, the rehearsal must be repeated', { tags: 'deep' }, async () => {
	await start();
	await begin(kiosk, 'cable-escrow');
	await kiosk.openCash(BUDI);
	await insert(10_000);
	expect(await answer(kiosk, [10_000, 0, 10_000])).toMatchObject({ verdict: 'missed', remedy: expect.stringContaining('Ulangi') });
});

test('after the cashbox is removed and put back, the next note is credited once', async () => {
	await start();
	await begin(kiosk, 'box-out');
	device().removeCashbox();
	await told(kiosk, /Pasang lagi kotak/);
	device().returnCashbox();
	await told(kiosk, /Bayar Tunai/);
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 5_000);
	const { verdict, file, text } = await answer(kiosk, [5_000, 0, 5_000]);
	expect([verdict, recordingOf(text).money.notes]).toEqual(['passed', [{ nominal: 5_000, end: 'credited' }]]);
	keep(file, text);
});

test.each([
	['is lost inside the unit', [20_000, 0, 0], 'Rp 20000 tidak ada di tangan maupun di kotak'],
	['comes back although it was credited', [20_000, 20_000, 0], 'mengkredit Rp 20000, tetapi di kotak hanya ada Rp 0'],
	['is not the note that was read', [50_000, 0, 50_000], 'jurnal hanya mengenal Rp 20000'],
] as const)('a note that %s fails the rehearsal', async (_, answers, text) => {
	await start();
	await begin(kiosk, 'box-out');
	device().removeCashbox();
	await told(kiosk, /Pasang lagi kotak/);
	device().returnCashbox();
	await told(kiosk, /Bayar Tunai/);
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 20_000);
	const ended = await answer(kiosk, answers);
	expect(ended).toMatchObject({ verdict: 'failed', remedy: expect.stringContaining('Jangan pakai') });
	expect(recordingOf(ended.text).verdict.text).toContain(text);
});

test('if the paper is out, the receipt is printed once after new paper is put in', { tags: 'deep' }, async () => {
	printer = await startPrinter({ port: 0, printMs: 10 });
	await start({ settings: printerSection(printer.uri) });
	await begin(kiosk, 'paper-out');
	printer.queue.set({ paperOut: true });
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await until(async () => expect((await kiosk.post('/kiosk/print', { id: invoice.id })).status).toBe(202));
	await told(kiosk, /Pasang lagi kertas/);
	printer?.queue.set({ paperOut: false });
	const { verdict, file, text } = await answer(kiosk, [150_000, 0, 150_000, 1]);
	expect([verdict, recordingOf(text).money.prints]).toEqual(['passed', ['done']]);
	keep(file, text);
});

async function startCard(options: KioskOptions = {}): Promise<() => Promise<void>> {
	await start({ edc: { lines: QUICK_CARD }, ...options });
	const screen = await kiosk.screen();
	await terminalReady(screen);
	return async () => startCardFor(screen, await kiosk.lookUp(BUDI));
}

/** Holds the card to the terminal when the terminal asks for it. */
const pay = () => tapCard(kiosk);

test('after the terminal was off, the next sale is charged once and recorded without card data', { tags: 'deep' }, async () => {
	const sell = await startCard({ movableClock: true });
	await begin(kiosk, 'terminal-off');
	kiosk.edc.terminal.switchOff(false);
	await kiosk.pass(60_000);
	await told(kiosk, /Nyalakan lagi/);
	kiosk.edc.terminal.switchOn();
	await told(kiosk, /bayar sampai selesai/);
	await sell();
	await pay();
	const { verdict, text } = await answer(kiosk, [1]);
	const { money, entries } = recordingOf(text);
	expect([verdict, money.sales]).toEqual(['passed', [{ amount: 137_500, end: 'approved' }]]);
	const frames = entries.flatMap((entry) =>
		entry.from === 'device' && entry.what.length >= 410 ? [Buffer.from(entry.what, 'hex').subarray(-205)] : [],
	);
	expect(frames.length).toBeGreaterThan(0);
	for (const frame of frames) {
		expect(frame.subarray(18, 53).toString('latin1')).toBe('*'.repeat(35));
		expect(frame.subarray(87, 203).toString('latin1')).toBe('*'.repeat(116));
		// The checksum must fit the masked data, so that the frame stays valid.
		expect(frame.subarray(1).reduce((sum, byte) => sum ^ byte, 0)).toBe(0);
	}
});

test('if the terminal is switched off during a sale that was charged, the sale is unknown and the rehearsal passes', {
	tags: 'deep',
}, async () => {
	const sell = await startCard();
	await begin(kiosk, 'terminal-off-sale');
	await sell();
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBe(null));
	await told(kiosk, /Matikan mesin EDC/);
	kiosk.edc.terminal.switchOff(true);
	await told(kiosk, /Nyalakan lagi/);
	kiosk.edc.terminal.switchOn();
	const { verdict, file, text } = await answer(kiosk, [1]);
	expect([verdict, recordingOf(text).money.sales]).toEqual(['passed', [{ amount: 137_500, end: 'unknown' }]]);
	keep(file, text);
});

test('if the answer to a sale is lost, the sale is unknown and the rehearsal passes with one charge', async () => {
	const sell = await startCard();
	await begin(kiosk, 'lost-answer');
	await sell();
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBe(null));
	kiosk.edc.cable.cut = true;
	await pay();
	await told(kiosk, /Pasang lagi/);
	kiosk.edc.cable.cut = false;
	const { verdict, file, text } = await answer(kiosk, [1]);
	expect([verdict, recordingOf(text).money.sales]).toEqual(['passed', [{ amount: 137_500, end: 'unknown' }]]);
	keep(file, text);
});

test('kioskctl guides a technician through a rehearsal, verifies the signed file and refuses an edited file', async () => {
	await start();
	const child = spawn(KIOSKCTL, ['rehearse', 'box-out', '--by', 'Sari', '--out', file(), '--config', join(kiosk.directory, 'kiosk.toml')]);
	let said = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
	const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
	const heard = (text: string) => until(() => expect(said).toContain(text));
	await heard('[1/7] Cabut kotak uang.');
	device().removeCashbox();
	await heard('[2/7] Pasang lagi kotak uang.');
	device().returnCashbox();
	await heard('[3/7] Di layar kiosk');
	await kiosk.openCash(BUDI);
	await heard('[4/7] Masukkan satu lembar');
	await feedNote(kiosk, 20_000);
	await heard('[5/7] Berapa rupiah');
	child.stdin.write('dua puluh\n');
	await heard('Ketik angka');
	child.stdin.write('20.000\n0\n20.000\n');
	expect(await ended).toBe(0);
	expect(said).toContain('LULUS: Semua uang ada tepat satu kali di jurnal.');

	expect((await kiosk.ctl('rehearse')).out).toMatch(/box-out +LULUS \d{4}-\d\d-\d\d +Kotak uang dicabut/);
	expect(await kiosk.ctl('rehearse', 'verify', file())).toMatchObject({ code: 0, out: expect.stringContaining('Signed by this kiosk') });
	writeFileSync(file(), readFileSync(file(), 'utf8').replace('"in_box":20000', '"in_box":10000'));
	expect(await kiosk.ctl('rehearse', 'verify', file())).toMatchObject({
		code: 1,
		out: expect.stringContaining('changed after it was signed'),
	});
});

const file = (): string => join(kiosk.directory, 'box-out.json');

test('a rehearsal is refused while another rehearsal runs, during a payment and without the device that it needs', async () => {
	await start();
	await expect(begin(kiosk, 'lost-answer')).rejects.toThrow('no_device');
	await begin(kiosk, 'box-out');
	await expect(begin(kiosk, 'cable-idle')).rejects.toThrow('409');
	expect((await kiosk.ctl('rehearse', 'stop')).code).toBe(0);
	expect(await look(kiosk)).toMatchObject({ running: null, ended: null });
	await kiosk.openCash(BUDI);
	await expect(begin(kiosk, 'box-out')).rejects.toThrow('busy');
	expect(readdirSync(join(kiosk.directory, 'journal', 'rehearsals'))).toEqual([]);
});
