import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { until } from '../../../tests/support/until.ts';
import { systemClock } from '../base/clock.ts';
import { showEcr } from '../edc/bca/trace-mask.ts';
import type { LoggedEvent } from '../log/event-fields.ts';
import type { EventId } from '../log/events.ts';
import type { PortListener } from './port.ts';
import { keepTraces, traceLine } from './traces.ts';

let home: string;
beforeEach(() => {
	home = temporaryFolder('traces');
});

/** A line driven by the test. */
function lineOf(name: 'acceptor' | 'edc') {
	let hears: PortListener | null = null;
	const show = name === 'edc' ? showEcr : () => () => true;
	const trace = traceLine(
		name,
		(listener) => {
			hears = listener;
			return { write: () => {}, close: () => {} };
		},
		show,
		systemClock,
	);
	const port = trace.open({ opened: () => {}, data: () => {}, closed: () => {} });
	return {
		trace,
		kiosk: (...bytes: number[]) => port.write(Uint8Array.from(bytes)),
		device: (bytes: Uint8Array) => hears?.data(bytes),
		lose: (reason: string) => hears?.closed(reason),
	};
}
const seen = (line: ReturnType<typeof lineOf>) => line.trace.entries().map(({ from, what }) => `${from} ${what}`);

const ANSWER = { length: 200, pan: '4111111111111111   ', name: 'BUDI SANTOSO' };
/** An answer with a whole card number, which real terminals should not send. */
function answer(): Buffer {
	const text = `01000013750000${'0'.repeat(12)}${ANSWER.pan}2812${'51'}${'600000000001'}123456${'20261121130000'}${ANSWER.name}`.padEnd(
		199,
	);
	const body = Buffer.concat([Buffer.of(0x02, 0x00, 1), Buffer.from(text), Buffer.of(0x03)]);
	return Buffer.concat([Buffer.of(0x02), body, Buffer.of(body.reduce((sum, byte) => sum ^ byte, 0))]);
}
const shownText = (line: ReturnType<typeof lineOf>) =>
	Buffer.from(
		line.trace
			.entries()
			.flatMap(({ what }) => what.split(' ').filter((word) => /^[0-9a-f]{2}$/.test(word)))
			.join(''),
		'hex',
	).toString('latin1');

test('the bytes of both directions and the loss of the line are recorded in order', () => {
	const line = lineOf('acceptor');
	line.kiosk(0x0c);
	line.device(Uint8Array.of(0x81, 0x45));
	line.lose('unplugged');
	expect(seen(line)).toEqual(['kiosk 0c', 'device 81 45', 'line lost: unplugged']);
});

test.each([
	['in one piece', 205],
	['byte by byte', 1],
	['cut inside the card number', 35],
])('the trace of a terminal answer %s shows type and code, but no card number, name or LRC', (_, size) => {
	const line = lineOf('edc');
	const frame = answer();
	line.device(Uint8Array.of(0x06));
	for (let at = 0; at < frame.length; at += size) line.device(frame.subarray(at, at + size));
	line.device(Uint8Array.of(0x15));
	expect(shownText(line)).toBe('\x06\x02\x02\x00\x010151\x15');
});

test('a frame with lost bytes never shows more than two digits of a card', () => {
	for (let lost = 0; lost < 60; lost += 1) {
		const line = lineOf('edc');
		line.device(Buffer.concat([answer().subarray(0, 1), answer().subarray(1 + lost)]));
		line.device(answer());
		expect(shownText(line), `${lost} bytes lost`).not.toMatch(/411|111|BUDI/);
	}
});

test('the trace of a line has a limited size and keeps the newest bytes', () => {
	const line = lineOf('acceptor');
	for (let time = 0; time < 100_000; time += 1) line.kiosk(0x0c);
	expect(JSON.stringify(line.trace.entries()).length).toBeLessThan(200_000);
	line.kiosk(0x5e);
	expect(seen(line).at(-1)).toBe('kiosk 5e');
});

const NOTE = { note_id: 'n-1', nominal: 50_000, invoice: 'INV/1', payment_id: 7 };
const IN_DOUBT: LoggedEvent = { id: 'cash.note_in_doubt', fields: { ...NOTE, why: 'silence' } };

function keeper() {
	const logged: [EventId, Record<string, unknown>][] = [];
	const lines = { acceptor: lineOf('acceptor'), edc: lineOf('edc') };
	const directory = join(home, 'traces');
	const traces = keepTraces({
		lines: [lines.acceptor.trace, lines.edc.trace],
		directory,
		clock: systemClock,
		log: { event: (id, fields) => void logged.push([id, fields]) },
	});
	return { logged, lines, directory, traces };
}

test('a fault saves a file that contains only the bytes of the affected line', async () => {
	const { traces, lines, logged } = keeper();
	lines.acceptor.kiosk(0x02);
	lines.edc.kiosk(0x06);
	traces.heard(IN_DOUBT);
	await until(() => expect(logged).toHaveLength(1));
	expect(logged[0]?.[0]).toBe('trace.kept');
	const text = readFileSync(String(logged[0]?.[1].file), 'utf8');
	expect(text).toMatch(/^acceptor: .*\n\S+Z kiosk {2}02\n$/);
});

test('an event that is not a device fault saves no file', async () => {
	const { traces, directory } = keeper();
	traces.heard({ id: 'cash.note_credited', fields: { ...NOTE, late: false } });
	traces.heard({ id: 'acceptor.state', fields: { state: 'ready' } });
	expect(() => readdirSync(directory)).toThrow('ENOENT');
});

test('a line that keeps failing causes one file in ten minutes, and files about other faults do not replace files about money', async () => {
	const { traces, directory, logged } = keeper();
	traces.heard(IN_DOUBT);
	for (let time = 0; time < 100; time += 1) traces.heard({ id: 'acceptor.line_lost', fields: { reason: 'unplugged' } });
	traces.heard({ id: 'acceptor.state', fields: { state: 'silent' } });
	await until(() => expect(logged).toHaveLength(3));
	for (let old = 10; old < 60; old += 1) writeFileSync(join(directory, `2026-01-01T00-00-${old}-000Z-edc.damaged.txt`), '');
	traces.heard({ id: 'edc.damaged', fields: { why: 'its LRC is wrong' } });
	await until(() => expect(logged).toHaveLength(4));
	const files = readdirSync(directory);
	expect(files).toHaveLength(21);
	expect(files.filter((name) => name.includes('cash.note_in_doubt'))).toHaveLength(1);
});

test('a trace that cannot be saved is logged as failed', async () => {
	const { traces, directory, logged } = keeper();
	writeFileSync(directory, 'a file where the folder should be');
	traces.heard({ id: 'card.unknown', fields: { attempt_id: 'a-1', why: 'silence', amount: undefined } });
	await until(() => expect(logged[0]?.[0]).toBe('trace.failed'));
});
