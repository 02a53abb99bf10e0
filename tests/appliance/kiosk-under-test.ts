/**
 * Boots the image in a guest that is connected to back office, bill acceptor and card terminal on
 * this host.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect } from 'vitest';
import { type Acceptor, startAcceptor } from '../simulators/acceptor/start.ts';
import { type BackOffice, startBackOffice } from '../simulators/back-office/start.ts';
import { type Edc, startEdc } from '../simulators/edc/start.ts';
import { freePort } from '../support/daemon.ts';
import { until } from '../support/until.ts';
import { BOOT_LIMIT_MS, createDisk, type Guest, type GuestOptions, publicKey, startGuest } from './guest.ts';
import { PRINTER_PORT } from './paper.ts';
import { kioskToml } from './setup-files.ts';

/**
 * Time limit of most waits, ms. It is long, because the emulated guest is far slower than a kiosk.
 */
export const GUEST_MS = 900_000;
/**
 * How long to wait for the home screen, ms: after the log-in, and after the screen was restarted.
 */
const LOG_IN_MS = 240_000;
/** Folder that keeps the pictures of the steps; by default they are deleted with the disk. */
const PICTURES = process.env.KIOSK_SHOTS;

const Health = v.looseObject({
	parts: v.array(v.object({ part: v.string(), state: v.string(), text: v.string(), remedy: v.string() })),
	in_doubt: v.array(v.looseObject({ nominal: v.nullable(v.number()) })),
});

/** Reads the health page with bash, because Node takes half a minute to start in the guest. */
const HEALTH = `exec 3<>/dev/tcp/127.0.0.1/8082 && printf 'GET /health HTTP/1.0\\r\\nHost: 127.0.0.1:8082\\r\\nAccept: application/json\\r\\n\\r\\n' >&3 && timeout 60 cat <&3 | sed '1,/^\\r$/d'`;

export interface KioskUnderTest {
	directory: string;
	backOffice: BackOffice;
	acceptor: Acceptor;
	edc: Edc;
	guest(): Guest;
	/** The settings file of this kiosk. */
	settings: string;
	/** Starts the guest and waits until the daemon answers. */
	switchOn(options?: Partial<GuestOptions>): Promise<void>;
	/** Starts the guest, waits until it resets itself, and leaves it off. */
	switchOnUntilReset(options?: Partial<GuestOptions>): Promise<void>;
	health(): Promise<v.InferOutput<typeof Health>>;
	/** The health page's text about one part. */
	part(name: string): Promise<string>;
	/** Types the outlet's log-in on the screen and waits for the home screen. */
	logIn(): Promise<void>;
	/** Waits until the screen shows this route and draws frames. */
	shows(route: string, limitMs?: number): Promise<void>;
	stop(): Promise<void>;
}

export async function kioskUnderTest(): Promise<KioskUnderTest> {
	const directory = PICTURES ?? mkdtempSync(join(tmpdir(), 'kiosk-appliance-'));
	// The disk of an earlier run would contain that run's money records.
	for (const file of ['disk.raw', 'firmware.fd']) rmSync(join(directory, file), { force: true });
	const backOffice = await startBackOffice({ port: 0 });
	const acceptor = await startAcceptor({ port: 0 });
	const edc = await startEdc({ port: 0 });
	const sshPort = await freePort();
	await createDisk(directory);
	const settings = kioskToml({ backOfficePort: backOffice.port, printerPort: PRINTER_PORT });
	let guest: Guest | null = null;
	const running = () => {
		if (!guest) throw new Error('the guest is off');
		return guest;
	};

	/**
	 * Whether the image is as shipped. Then health is read over SSH, because there is no root line.
	 */
	let asShipped = false;
	const health = async () => v.parse(Health, JSON.parse(await (asShipped ? running().ssh(HEALTH) : running().root(HEALTH))));
	const shows = (route: string, limitMs = GUEST_MS) =>
		until(async () => {
			const screen = (await health()).parts.find((one) => one.part === 'screen');
			expect(screen).toMatchObject({ state: 'ok', text: expect.stringContaining(`shows ${route},`) });
		}, limitMs);
	const part = async (name: string) => (await health()).parts.find((one) => one.part === name)?.text ?? '';
	const start = async (options: Partial<GuestOptions>) => {
		asShipped = options.asShipped ?? false;
		const setup = options.credentials ? {} : { setup: { 'kiosk.toml': settings, authorized_keys: publicKey(directory) } };
		const ports = { acceptor: Number(acceptor.port), edc: Number(edc.port) };
		guest = await startGuest({ directory, ...setup, ports, sshPort, ...options });
		return guest;
	};
	return {
		...{ directory, backOffice, acceptor, edc, settings, health, part, shows },
		guest: running,
		async switchOn(options = {}) {
			await start(options);
			await until(health, BOOT_LIMIT_MS);
		},
		async switchOnUntilReset(options = {}) {
			await (await start({ ...options, endAtReset: true })).ended;
		},
		async logIn() {
			// Keys have no effect before the screen is drawn.
			await until(async () => expect(await running().root('/usr/lib/kiosk/alive')).toBe('204'), GUEST_MS);
			const { username, password } = backOffice.account;
			// The screen can be drawn before the network is up.
			await until(() => running().root('ip route show default | grep -q .'), GUEST_MS);
			await running().type(`${username}\t${password}\n`);
			// On a busy computer, typed keys can be lost, and the home screen does not appear. The screen
			// is then restarted. If the home screen does not appear even then, the log-in is repeated.
			await shows('/', LOG_IN_MS).catch(async () => {
				await running().root('systemctl restart kiosk-screen');
				await shows('/', LOG_IN_MS).catch(() => running().type(`${username}\t${password}\n`));
				await shows('/');
			});
		},
		async stop() {
			await guest?.powerCut();
			await Promise.all([acceptor.stop(), edc.stop(), backOffice.stop()]);
			if (PICTURES === undefined) rmSync(directory, { recursive: true, force: true });
			else for (const file of ['disk.raw', 'firmware.fd', 'screen.ppm']) rmSync(join(directory, file), { force: true });
		},
	};
}
