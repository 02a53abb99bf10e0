import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { noLog } from '../log.ts';
import type { Behaviour, Timing } from './behaviour.ts';
import { hex } from './bytes.ts';
import { IctDevice } from './device.ts';

function createDevice(options: { timing?: Partial<Timing>; behaviour?: Partial<Behaviour> } = {}) {
	const clock = new VirtualClock();
	let said: number[] = [];
	const device = new IctDevice({ ...options, clock, log: noLog, send: (bytes) => said.push(...bytes) });
	/** @returns the bytes that the device has sent since the last call, in hex */
	const heard = (): string => {
		const text = hex(said);
		said = [];
		return text;
	};
	return { clock, device, heard, host: (...bytes: number[]) => device.receive(bytes) };
}

/** @returns an enabled device after power-up and handshake, without unread output */
function ready(options: Parameters<typeof createDevice>[0] = {}) {
	const all = createDevice(options);
	all.device.switchOn();
	all.clock.advance(500);
	all.host(0x02, 0x3e);
	all.heard();
	return all;
}

/** @returns a ready device with a note of Rp 20.000 in escrow */
function holding(options: Parameters<typeof createDevice>[0] = {}) {
	const all = ready(options);
	all.device.insert({ nominal: 20_000 });
	all.clock.advance(800);
	expect(all.heard()).toBe('81 44');
	return all;
}

const nominals = (notes: readonly { nominal: number }[]): number[] => notes.map((note) => note.nominal);

describe('power-up', () => {
	test('the device repeats the power-up bytes and stays inhibited until the host answers ACCEPT', () => {
		const { device, clock, heard, host } = createDevice();
		device.switchOn();
		clock.advance(499);
		expect(heard()).toBe('');
		clock.advance(1);
		expect(heard()).toBe('80 8F');
		clock.advance(2_000);
		expect(heard()).toBe('80 8F');
		expect(device.insert({ nominal: 1_000 })).toEqual({ taken: false, reason: 'inhibited' });
		host(0x0c);
		expect(heard()).toBe('5E');
		host(0x02, 0x0c);
		expect(heard()).toBe('3E');
		clock.advance(10_000);
		expect(heard()).toBe('');
	});

	test('on the newest revision the power-up ends with the country code', () => {
		const { device, clock, heard } = createDevice({ behaviour: { countryCode: 'ID' } });
		device.switchOn();
		clock.advance(500);
		expect(heard()).toBe('80 8F 49 44');
	});

	test('a host that starts later learns the state by polling', () => {
		const { heard, host } = ready();
		host(0x02, 0x5e, 0x0c, 0x3e, 0x0c, 0x5e, 0x0c);
		expect(heard()).toBe('5E 3E 5E');
	});

	test('firmware with echo sends each ENABLE and INHIBIT back', () => {
		const { heard, host } = ready({ behaviour: { echoesEnable: true } });
		host(0x5e, 0x3e);
		expect(heard()).toBe('5E 3E');
	});
});

describe('a note', () => {
	test('an accepted note is reported as stacked and is in the cashbox once', () => {
		const { device, clock, heard, host } = holding();
		host(0x02);
		clock.advance(1_499);
		expect(heard()).toBe('');
		expect(device.stacked).toEqual([]);
		clock.advance(1);
		expect(heard()).toBe('10');
		expect(nominals(device.stacked)).toEqual([20_000]);
		host(0x02);
		clock.advance(60_000);
		expect(nominals(device.stacked)).toEqual([20_000]);
	});

	test('a refused note is returned and reported with RETURNED', () => {
		const { device, clock, heard, host } = holding();
		host(0x0f);
		clock.advance(600);
		expect(heard()).toBe('11');
		expect(nominals(device.returned)).toEqual([20_000]);
		host(0x02);
		clock.advance(5_000);
		expect(device.stacked).toEqual([]);
	});

	test('if the host does not decide about a note for 5 s, the note is returned, and after the third such note the device inhibits itself', () => {
		const { device, clock, heard, host } = ready({ behaviour: { saysCommunicationFailure: true } });
		for (const last of [false, false, true]) {
			expect(device.insert({ nominal: 1_000 })).toEqual({ taken: true });
			clock.advance(800 + 5_000);
			expect(heard()).toBe(last ? '81 40 26' : '81 40');
			clock.advance(600);
			expect(heard()).toBe('11');
		}
		host(0x0c);
		expect(heard()).toBe('5E');
		host(0x3e, 0x0c);
		expect(heard()).toBe('3E');
	});

	test('a held note stays in escrow beyond 5 s and can still be accepted', () => {
		const { device, clock, heard, host } = holding();
		host(0x18);
		clock.advance(60_000);
		expect(heard()).toBe('');
		host(0x02);
		clock.advance(1_500);
		expect(heard()).toBe('10');
		expect(nominals(device.stacked)).toEqual([20_000]);
	});

	test('if the host inhibits while a note is read, the note is returned and no byte is sent', () => {
		const { device, clock, heard, host } = ready();
		device.insert({ nominal: 5_000 });
		clock.advance(400);
		host(0x5e);
		clock.advance(2_000);
		expect(heard()).toBe('');
		expect(device.returned).toMatchObject([{ nominal: 5_000, reason: 'inhibited' }]);
	});

	test('an unreadable note is reported as unrecognised and not held in escrow', () => {
		const { device, clock, heard } = ready();
		device.insert('unreadable');
		clock.advance(2_000);
		expect(heard()).toBe('29');
		expect(device.note).toBeNull();
	});

	test('a second note is refused while the first is inside', () => {
		const { device } = holding();
		expect(device.insert({ nominal: 1_000 })).toEqual({ taken: false, reason: 'another note is inside' });
	});

	test('a note pulled out of escrow is reported as removed, and a late ACCEPT has no effect', () => {
		const { device, clock, heard, host } = holding();
		expect(device.pullNote()).toBe(true);
		expect(heard()).toBe('23');
		host(0x02);
		clock.advance(5_000);
		expect(device.stacked).toEqual([]);
	});

	test('an ICT106 answers a poll with the note in escrow', () => {
		const { heard, host } = holding({ behaviour: { pollRepeatsNote: true } });
		host(0x0c, 0x0c);
		expect(heard()).toBe('81 44 81 44');
	});
});

describe('faults', () => {
	test('a fault is reported at once and at each poll, and its end is reported', () => {
		const { device, heard, host } = ready();
		device.break('jam');
		host(0x0c);
		expect(heard()).toBe('22 22');
		expect(device.insert({ nominal: 1_000 })).toEqual({ taken: false, reason: 'fault' });
		device.clear();
		host(0x0c);
		expect(heard()).toBe('2F 3E');
	});

	test.each([
		['returned', '2F 11', [], [20_000]],
		['stacked', '2F 10', [20_000], []],
		['removed', '2F', [], []],
	] as const)('a note that jams on its way to the cashbox can be %s afterwards', (noteEnds, bytes, stacked, returned) => {
		const { device, clock, heard, host } = holding();
		host(0x02);
		clock.advance(700);
		device.break('jam');
		clock.advance(30_000);
		expect(heard()).toBe('22');
		device.clear(noteEnds);
		clock.advance(1_500);
		expect(heard()).toBe(bytes);
		expect(nominals(device.stacked)).toEqual(stacked);
		expect(nominals(device.returned)).toEqual(returned);
	});

	test('a note on a string leaves no money in the cashbox', () => {
		const { device, clock, heard, host } = holding();
		host(0x02);
		device.break('fish');
		clock.advance(5_000);
		expect(heard()).toBe('27');
		expect(device.stacked).toEqual([]);
		expect(nominals(device.returned)).toEqual([20_000]);
	});

	test('the removal and the return of the cashbox are reported, and the notes in it count as collected', () => {
		const { device, clock, heard, host } = holding();
		host(0x02);
		clock.advance(1_500);
		heard();
		device.removeCashbox();
		host(0x0c);
		device.returnCashbox();
		expect(heard()).toBe('24 24 2F');
		expect(device.noteEnds.collected).toBe(1);
	});

	test('an unknown command is answered with INVALID COMMAND', () => {
		const { heard, host } = ready();
		host(0x77);
		expect(heard()).toBe('2A');
	});
});

describe('power cuts', () => {
	test.each(['returned', 'stacked'] as const)('if a moving note is %s because of a power cut, no byte reports this', (noteEnds) => {
		const { device, clock, heard, host } = holding();
		host(0x02);
		clock.advance(700);
		device.switchOff(noteEnds);
		clock.advance(5_000);
		host(0x0c, 0x02);
		expect(heard()).toBe('');
		device.switchOn();
		clock.advance(500);
		expect(heard()).toBe('80 8F');
		expect(nominals(device[noteEnds])).toEqual([20_000]);
	});

	test('after a reset command the device is silent, then reports power-up', () => {
		const { device, clock, heard, host } = holding();
		host(0x30, 0x0c);
		clock.advance(999);
		expect(heard()).toBe('');
		clock.advance(1);
		expect(heard()).toBe('80 8F');
		expect(nominals(device.returned)).toEqual([20_000]);
	});
});

describe('deviations for one note', () => {
	test.each([
		['double_stacked', '10 10'],
		['lost_stacked', ''],
		['late_stacked', '10'],
	] as const)('%s: exactly one note is in the cashbox, although STACKED is repeated, missing or late', (mishap, bytes) => {
		const { device, clock, heard, host } = ready();
		device.nextMishaps.add(mishap);
		device.insert({ nominal: 100_000 });
		clock.advance(800);
		expect(heard()).toBe('81 46');
		host(0x02);
		clock.advance(1_500 + 12_000);
		expect(heard()).toBe(bytes);
		expect(nominals(device.stacked)).toEqual([100_000]);
	});

	test('a note whose code is sent twice and whose stacking fails is returned and reported with RETURNED', () => {
		const { device, clock, heard, host } = ready();
		device.nextMishaps.add('repeated_note').add('stacked_fails');
		device.insert({ nominal: 2_000 });
		clock.advance(800);
		expect(heard()).toBe('81 41 41');
		host(0x02);
		clock.advance(2_000);
		expect(heard()).toBe('11');
		expect(device.stacked).toEqual([]);
	});
});
