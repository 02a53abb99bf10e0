import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { noLog } from '../log.ts';
import { EcrTerminal, type TerminalOptions } from './terminal.ts';

const ACK = Uint8Array.of(0x06);
const NAK = Uint8Array.of(0x15);

function createTerminal(options: Partial<TerminalOptions> = {}) {
	const clock = new VirtualClock();
	let said: Buffer[] = [];
	const terminal = new EcrTerminal({ clock, log: noLog, send: (bytes) => said.push(Buffer.from(bytes)), ...options });
	/**
	 * @returns the terminal's messages since the last call, oldest first: names of control bytes, and
	 * response code and amount of frames
	 */
	const heard = (): string[] => {
		const shown = said.map(show);
		said = [];
		return shown;
	};
	const ask = (type: string, fields: { amount?: number; invoice?: string; reference?: string } = {}): void => {
		terminal.hear(request(type, fields));
		clock.advance(200);
	};
	return { clock, terminal, heard, ask, raw: () => said };
}

function request(type: string, { amount = 137_500, invoice = '000000', reference = '' }): Buffer {
	const frame = Buffer.alloc(155, ' ');
	frame.set([0x02, 0x01, 0x50, 0x03]);
	frame.write(`${type}${String(amount * 100).padStart(12, '0')}${'0'.repeat(12)}`, 4);
	frame.write(`00${invoice}000000  N00000`, 53);
	frame.write(reference, 87);
	frame[153] = 0x03;
	frame[154] = frame.subarray(1, 154).reduce((sum, byte) => sum ^ byte, 0);
	return frame;
}

function show(bytes: Buffer): string {
	if (bytes.length === 1) return bytes[0] === 0x06 ? 'ACK' : 'NAK';
	const good = bytes.subarray(1, 204).reduce((sum, byte) => sum ^ byte, 0) === bytes[204];
	return `${bytes.toString('latin1', 4, 6)}:${bytes.toString('latin1', 53, 55)} ${Number(bytes.toString('latin1', 6, 18)) / 100}${good ? '' : ' bad LRC'}`;
}

describe('echo tests', () => {
	test.each([
		['answers', ['ACK', '17:00 0']],
		['acks', ['ACK']],
		['refuses', ['NAK']],
		['ignores', []],
	] as const)('a terminal that %s echo tests still takes sales', (echo, said) => {
		const { ask, heard } = createTerminal({ echo });
		ask('17');
		expect(heard()).toEqual(said);
		ask('01');
		expect(heard()).toEqual(['ACK']);
	});

	test('the answer to an echo test contains the time of the terminal’s own clock', () => {
		const dated = (clockAheadMs: number) => {
			const { ask, raw } = createTerminal({ clockAheadMs });
			ask('17');
			return Number(raw().at(-1)?.toString('latin1', 73, 87));
		};
		expect(dated(3_000) - dated(0)).toBe(3);
	});
});

test('in mode held_up the kiosk’s bytes arrive only when the mode ends', () => {
	const { terminal, ask, heard, clock } = createTerminal();
	terminal.setMode('held_up');
	ask('01');
	expect([heard(), terminal.waiting]).toEqual([[], null]);
	terminal.setMode('normal');
	clock.advance(200);
	expect([heard(), terminal.waiting]).toEqual([['ACK'], { type: '01', amount: 137_500 }]);
});

test('in mode mute the terminal charges the card and sends no answer', () => {
	const { terminal, ask, heard, clock } = createTerminal();
	terminal.setMode('mute');
	ask('01');
	terminal.tap({ respCode: '00' });
	clock.advance(1_000);
	expect([heard(), terminal.bank.captured]).toEqual([[], 137_500]);
});

describe('a sale', () => {
	test('a sale consists of ACK, the customer’s card, the answer, and the kiosk’s ACK', () => {
		const { clock, terminal, heard, ask } = createTerminal();
		ask('01');
		expect(heard()).toEqual(['ACK']);
		expect(terminal.waiting).toEqual({ type: '01', amount: 137_500 });
		clock.advance(20_000);
		expect(heard()).toEqual([]);
		expect(terminal.tap({ respCode: '00' })).toBe(true);
		clock.advance(0);
		expect(heard()).toEqual(['01:00 137500']);
		terminal.hear(ACK);
		terminal.hear(ACK);
		expect(terminal.acknowledged).toBe(1);
		expect(terminal.bank.captured).toBe(137_500);
		expect(terminal.tap({ respCode: '00' })).toBe(false);
	});

	test.each(['54', '55', 'P2', 'P3', 'PT', 'Z3', 'CE', 'TO', 'S2', 'TN', '51'])('a refusal with %s moves no money', (respCode) => {
		const { clock, terminal, heard, ask } = createTerminal();
		terminal.next.push({ respCode });
		ask('01');
		clock.advance(3_000);
		expect(heard()).toEqual(['ACK', `01:${respCode} 0`]);
		expect(terminal.bank.captured).toBe(0);
	});

	test('the reference number of a refusal consists of spaces after PT and of zeros after P2', () => {
		const { clock, terminal, ask, raw } = createTerminal();
		for (const respCode of ['PT', 'P2']) {
			terminal.next.push({ respCode });
			ask('01');
			clock.advance(3_000);
		}
		expect(raw().map((frame) => frame.toString('latin1', 55, 67))).toEqual(['', ' '.repeat(12), '', '0'.repeat(12)]);
	});

	test('a sale without a card ends with S4 after a minute', () => {
		const { clock, heard, ask } = createTerminal();
		ask('01');
		clock.advance(60_000);
		expect(heard()).toEqual(['ACK', '01:S4 0']);
	});

	test('while a sale waits for a card, a second request is ignored', () => {
		const { heard, ask } = createTerminal();
		ask('01');
		ask('01');
		expect(heard()).toEqual(['ACK']);
	});

	test('a card can be charged although the answer reports a connection error', () => {
		const { clock, terminal, heard, ask } = createTerminal();
		terminal.next.push({ respCode: 'TO', captured: true });
		ask('01');
		clock.advance(3_000);
		expect(heard()).toEqual(['ACK', '01:TO 0']);
		expect(terminal.bank.captured).toBe(137_500);
	});
});

describe('the link', () => {
	test('a damaged request is answered with NAK', () => {
		const { terminal, heard } = createTerminal();
		const damaged = request('01', {});
		damaged[20] = 0x39;
		terminal.hear(damaged);
		expect(heard()).toEqual(['NAK']);
	});

	test('an incomplete request is dropped after a second', () => {
		const { clock, terminal, heard, ask } = createTerminal();
		terminal.hear(request('17', {}).subarray(0, 80));
		clock.advance(1_000);
		ask('17');
		expect(heard()).toEqual(['ACK', '17:00 0']);
	});

	test('the terminal repeats its answer after NAK, at most twice', () => {
		const { terminal, heard, ask } = createTerminal();
		ask('17');
		heard();
		for (let times = 0; times < 4; times += 1) terminal.hear(NAK);
		expect(heard()).toEqual(['17:00 0', '17:00 0']);
	});

	test.each([
		['silent', [], 0],
		['silent_after_ack', ['ACK'], 137_500],
		['no_ack', ['01:00 137500'], 137_500],
		['nak', ['NAK'], 0],
		['bad_lrc', ['ACK', '01:00 137500 bad LRC'], 137_500],
		['double', ['ACK', '01:00 137500', '01:00 137500'], 137_500],
		['wrong_amount', ['ACK', '01:00 138500'], 138_500],
		['wrong_type', ['ACK', '17:00 137500'], 137_500],
	] as const)('in mode %s the terminal sends %j, and the bank captures %i', (mode, said, captured) => {
		const { clock, terminal, heard, ask } = createTerminal();
		terminal.setMode(mode);
		terminal.next.push({ respCode: '00' });
		ask('01');
		clock.advance(10_000);
		expect(heard()).toEqual(said);
		expect(terminal.bank.captured).toBe(captured);
	});

	test('in mode late the answer comes after 130 s', () => {
		const { clock, terminal, heard, ask } = createTerminal();
		terminal.setMode('late', { ms: 130_000 });
		terminal.next.push({ respCode: '00' });
		ask('01');
		clock.advance(120_000);
		expect(heard()).toEqual(['ACK']);
		clock.advance(20_000);
		expect(heard()).toEqual(['01:00 137500']);
	});

	test('the modes slow, split and joined send the same bytes in 206, 7 and 1 pieces', () => {
		for (const [mode, pieces] of [
			['slow', 206],
			['split', 7],
			['joined', 1],
		] as const) {
			const { clock, terminal, ask, raw } = createTerminal();
			terminal.setMode(mode);
			terminal.next.push({ respCode: '00' });
			ask('01');
			clock.advance(60_000);
			expect([mode, raw().length]).toEqual([mode, pieces]);
			const all = Buffer.concat(raw());
			expect([all[0], show(all.subarray(1))]).toEqual([0x06, '01:00 137500']);
		}
	});

	test.each([true, false])('after a power cut during a sale no answer is sent (payment captured: %s)', (captured) => {
		const { clock, terminal, heard, ask } = createTerminal();
		ask('01');
		terminal.switchOff(captured);
		clock.advance(120_000);
		ask('17');
		terminal.switchOn();
		expect(heard()).toEqual(['ACK']);
		expect(terminal.bank.captured).toBe(captured ? 137_500 : 0);
		ask('17');
		expect(heard()).toEqual(['ACK', '17:00 0']);
	});
});

describe('staff', () => {
	function sold() {
		const all = createTerminal();
		all.terminal.next.push({ respCode: '00' });
		all.ask('01');
		all.clock.advance(3_000);
		all.heard();
		return all;
	}

	test('a void by invoice number returns the money once', () => {
		const { terminal, heard, ask } = sold();
		ask('08', { invoice: '000009' });
		ask('08', { invoice: '000001' });
		ask('08', { invoice: '000001' });
		expect(heard()).toEqual(['ACK', '08:25 0', 'ACK', '08:00 137500', 'ACK', '08:25 0']);
		expect(terminal.bank.captured).toBe(0);
	});

	test('after a settlement the sales of the batch cannot be voided; a prepared refusal answers the next settlement', () => {
		const { terminal, heard, ask } = sold();
		ask('10', { amount: 0 });
		ask('08', { invoice: '000001' });
		expect(heard()).toEqual(['ACK', '10:00 137500', 'ACK', '08:25 0']);
		terminal.next.push({ respCode: 'PS' });
		ask('10', { amount: 0 });
		expect(heard()).toEqual(['ACK', '10:PS 0']);
	});

	test('the answer to a reprint contains the last sale, or the sale of the given invoice number', () => {
		const { heard, ask } = sold();
		ask('19', { amount: 0 });
		ask('19', { amount: 0, invoice: '000001' });
		ask('19', { amount: 0, invoice: '000002' });
		expect(heard()).toEqual(['ACK', '19:00 137500', 'ACK', '19:00 137500', 'ACK', '19:25 0']);
	});
});

test('the answer 00 to a QRIS request does not mean that the code is paid; the answer 00 to a QRIS inquiry confirms its payment', () => {
	const { terminal, heard, ask, raw } = createTerminal();
	ask('31');
	const reference = raw()[1]?.toString('latin1', 55, 67) ?? '';
	expect(heard()).toEqual(['ACK', '31:00 137500']);
	expect(terminal.bank.captured).toBe(0);
	ask('32', { reference });
	expect(terminal.bank.endQris('paid')).toBe(true);
	ask('32', { reference });
	ask('32', { reference: '600000999999' });
	expect(heard()).toEqual(['ACK', '32:S3 0', 'ACK', '32:00 137500', 'ACK', '32:25 0']);
	expect(terminal.bank.captured).toBe(137_500);
});
