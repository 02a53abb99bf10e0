import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { NOMINALS, parseSettings } from './settings.ts';

const SHIPPED = readFileSync(new URL('../../../config/kiosk.toml', import.meta.url), 'utf8');
/** The shipped file with every commented-out setting enabled. */
const EVERYTHING = SHIPPED.replace(/^# (?=(\[\w+\]|"?\w+"? = ))/gm, '');

/** @returns dotted names of all settings of a parsed file */
const names = (table: object, prefix = ''): string[] =>
	Object.entries(table).flatMap(([key, value]) =>
		value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Map)
			? names(value, `${prefix}${key}.`)
			: [`${prefix}${key}`],
	);

test('the shipped file is valid and has no note map, so the kiosk takes no notes', () => {
	const settings = parseSettings(SHIPPED, '/var/lib/kiosk');
	expect(settings.ok && settings.value.acceptor?.notes.size).toBe(0);
	expect(settings.ok && settings.value.journal.directory).toBe('/var/lib/kiosk/journal');
});

test('the settings of the shipped file that are not commented out have the default values', () => {
	const shipped = parseSettings(SHIPPED, undefined);
	const bare = parseSettings('[acceptor]\nport = "/dev/kiosk-acceptor"\n[printer]', undefined);
	expect(shipped).toEqual(bare);
});

test('the shipped file contains every setting', () => {
	const everything = parseSettings(EVERYTHING, undefined);
	if (!everything.ok) throw new Error(everything.error.problems.join('\n'));
	const shown = new Set(names(parse(EVERYTHING)));
	const { state_directory, ...settings } = everything.value;
	expect(state_directory).toBeDefined();
	const known = names(settings).filter((name) => !/^(acceptor|edc)\.port\.|^acceptor\.notes/.test(name));
	expect(known.filter((name) => !shown.has(name))).toEqual([]);
	expect(everything.value.acceptor?.notes.get('0x46')).toBe(100_000);
});

test('[spec 7.2, 9.5] the time limit, notes and paths of the specification are the defaults', () => {
	const settings = parseSettings('', undefined);
	expect(settings.ok && settings.value).toMatchObject({
		screen: { alert_ms: 10_000 },
		back_office: {
			timeout_ms: 50_000,
			paths: {
				login: '/auth/login-outlet/',
				pin: '/payment/api/v1/login-pin-screen/',
				payment_group: '/payment/api/v1/payment-group/',
				resend_callback: '/payment/api/v1/resend-callback/{id}',
				invoice_info: '/payment/api/v1/get-invoice-info/',
			},
		},
	});
	expect(NOMINALS).toEqual([1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]);
});

test('note codes are case-insensitive, and two codes may have the same value', () => {
	const settings = parseSettings('[acceptor]\nport = "tcp:127.0.0.1:7001"\n[acceptor.notes]\n"0x4A" = 1000\n"0x40" = 1000', undefined);
	expect(settings.ok && [...(settings.value.acceptor?.notes ?? [])]).toEqual([
		['0x4a', 1_000],
		['0x40', 1_000],
	]);
});

test.each([
	['[screen]\nlisten = "0.0.0.0:80"', 'line 2: screen.listen = "0.0.0.0:80": expected an address on this PC such as "127.0.0.1:8080"'],
	['[site]\ntimezone = "Mars"', 'line 2: site.timezone = "Mars": expected a time zone such as "Asia/Jakarta"'],
	['[back_office]\nurl = "ftp://x"', 'line 2: back_office.url = "ftp://x": expected an address that starts with http: or https:'],
	['[acceptor]\nport = "COM3"', 'line 2: acceptor.port = "COM3": expected a device path such as "/dev/kiosk-acceptor", or "tcp:HOST:PORT"'],
	['[acceptor]\nport = "/dev/x"\nparity = "mark"', 'line 3: acceptor.parity = "mark": expected "none", "even" or "odd"'],
	['[acceptor]\nport = "/dev/x"\n[acceptor.notes]\n"64" = 1000', 'line 4: acceptor.notes.64 = "64": expected a note type such as "0x40"'],
	['[colour]', 'line 1: colour: there is no such setting; check its spelling and its section'],
])('%j is refused, and the message gives the line and the reason', (source, sentence) => {
	const settings = parseSettings(source, undefined);
	expect(!settings.ok && settings.error.problems).toContain(sentence);
});

test('if a file has several problems, all are reported', () => {
	const settings = parseSettings('[site]\nnme = "x"\n[screen]\nalert_ms = "x"', undefined);
	expect(!settings.ok && settings.error.problems).toHaveLength(2);
});

test('an invalid address is refused with a message that quotes it', () => {
	const parsed = parseSettings('[back_office]\nurl = "server.example"\n', undefined);
	expect(!parsed.ok && parsed.error.problems).toEqual([
		'line 2: back_office.url = "server.example": expected a full address such as "https://server.example"',
	]);
});

test.each([
	['https://wa.me/6281234567890?text={text}', true],
	['https://api.whatsapp.com/send?phone=6281234567890&text={text}', true],
	['', true],
	['https://wa.me/6281234567890', false],
	['http://wa.me/6281234567890?text={text}', false],
	['https://wa.me.example/?text={text}', false],
	['https://wa.me@evil.example/?text={text}', false],
	['https://wa.me/1?text={text}{text}', false],
])('the WhatsApp link "%s" is valid: %s', (link, valid) => {
	expect(parseSettings(`[receipt]\nwhatsapp_link = "${link}"`, '/x').ok).toBe(valid);
});

test.each([
	['0812-3456-7890', true],
	['+62 812 3456 7890', true],
	['', true],
	['staf', false],
	['123', false],
])('the telephone number of staff "%s" is valid: %s', (number, valid) => {
	expect(parseSettings(`[site]\nstaff_phone = "${number}"`, '/x').ok).toBe(valid);
});
