/** A kiosk PC as QEMU plays it: UEFI, one disk with the image, a screen, a touch panel, two USB serial adapters, one network. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openQmp } from './qmp.ts';

const run = promisify(execFile);
const IMAGE = join(import.meta.dirname, '..', '..', 'image', 'out', 'kiosk.raw');
const FIRMWARE = '/usr/share/OVMF';
/** What a small dealer's PC has at least; the partitions of the second version and of the data need the room. */
const DISK = '8G';
const SCREEN = { width: 1920, height: 1080 };
/** Without hardware virtualisation, and with other work on the machine, a cold start takes minutes. */
export const BOOT_LIMIT_MS = 900_000;
/** Injected fingers and keys are held as long as a person's. */
const HOLD_MS = 120;

export interface MachineOptions {
	/** Disk, firmware memory, keys and log lie here; the same folder again is the same machine. */
	directory: string;
	/** Files for the setup partition; written before every start. */
	setup: Readonly<Record<string, string>>;
	/** Ports on this host that the two adapters are wired to. */
	acceptorPort: number;
	edcPort: number;
	sshPort: number;
	/** Shows the screen: VNC on 127.0.0.1:5909. */
	display?: boolean;
}

export interface Machine {
	/** Runs a command as the technician. @returns standard output */
	ssh(command: string): Promise<string>;
	/** A finger at a place, both from 0 to 1. */
	tap(x: number, y: number): Promise<void>;
	/** Types letters and digits on a plugged-in keyboard; "\n" is Enter, "\t" is Tab. */
	type(text: string): Promise<void>;
	/** Saves a picture of the screen. @returns how many different colours it has */
	picture(name: string): Promise<number>;
	/** Pulls the plug. */
	powerCut(): Promise<void>;
	ended: Promise<unknown>;
}

/** A new disk with the image, as `make flash` leaves one; a folder that has one keeps it. */
export async function newDisk(directory: string): Promise<void> {
	mkdirSync(directory, { recursive: true });
	if (existsSync(join(directory, 'disk.raw'))) return;
	await run('cp', ['--sparse=always', IMAGE, join(directory, 'disk.raw')]);
	await run('truncate', ['-s', DISK, join(directory, 'disk.raw')]);
	copyFileSync(join(FIRMWARE, 'OVMF_VARS_4M.fd'), join(directory, 'firmware.fd'));
	await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', join(directory, 'key')]);
}

/** @returns the technician's public key for the setup partition */
export const publicKey = (directory: string): string => readFileSync(join(directory, 'key.pub'), 'utf8');

/** As a person does with the setup partition on any computer. */
async function writeSetup(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
	const disk = join(directory, 'disk.raw');
	const { stdout } = await run('partx', ['-g', '-o', 'START,NAME', disk], {
		env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
	});
	const start = /(\d+) +kiosk-setup/.exec(stdout)?.[1];
	if (start === undefined) throw new Error(`the image has no setup partition:\n${stdout}`);
	for (const [name, text] of Object.entries(files)) {
		writeFileSync(join(directory, name), text);
		await run('mcopy', ['-o', '-i', `${disk}@@${Number(start) * 512}`, join(directory, name), `::${name}`]);
	}
}

const KEYS: Readonly<Record<string, string>> = { '\n': 'ret', '\t': 'tab', ' ': 'spc' };

/** Switches the machine on. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
	const { directory } = options;
	await writeSetup(directory, options.setup);
	const qmpPath = join(directory, 'qmp.sock');
	const serial = (id: string, port: number, bus: string) => [
		...['-chardev', `socket,id=${id},host=127.0.0.1,port=${port},server=off,reconnect=1`],
		...['-device', `usb-serial,chardev=${id},serial=${id},bus=xhci.0,port=${bus},always-plugged=true`],
	];
	const qemu = spawn(
		'nice',
		[
			...['-n', '19', 'qemu-system-x86_64', '-machine', 'q35,smm=off', '-accel', 'tcg,thread=multi,tb-size=1024', '-cpu', 'max,pku=off'],
			...['-smp', '2', '-m', '3072', '-display', options.display ? 'vnc=127.0.0.1:9' : 'none', '-vga', 'none', '-nodefaults'],
			...['-drive', `if=pflash,format=raw,readonly=on,file=${FIRMWARE}/OVMF_CODE_4M.fd`],
			...['-drive', `if=pflash,format=raw,file=${join(directory, 'firmware.fd')}`],
			// The host keeps running when the guest loses power, so what was written is written.
			...['-drive', `if=virtio,format=raw,file=${join(directory, 'disk.raw')},cache=unsafe`],
			...['-device', `virtio-gpu-pci,xres=${SCREEN.width},yres=${SCREEN.height}`],
			...['-device', 'qemu-xhci,id=xhci', '-device', 'usb-tablet,bus=xhci.0,port=1', '-device', 'usb-kbd,bus=xhci.0,port=2'],
			...serial('acceptor', options.acceptorPort, '3'),
			...serial('edc', options.edcPort, '4'),
			...['-netdev', `user,id=net,hostfwd=tcp:127.0.0.1:${options.sshPort}-:22`, '-device', 'virtio-net-pci,netdev=net'],
			...['-qmp', `unix:${qmpPath},server=on,wait=off`, '-serial', `file:${join(directory, 'console.log')}`],
			...[
				'-smbios',
				'type=11,value=io.systemd.stub.kernel-cmdline-extra=console=ttyS0 loglevel=4 systemd.journald.forward_to_console=1 systemd.journald.max_level_console=info',
			],
		],
		{ stdio: ['ignore', 'inherit', 'inherit'] },
	);
	const ended = once(qemu, 'exit');
	const qmp = await openQmp(qmpPath);
	const send = (...events: object[]) => qmp.execute('input-send-event', { events });
	const press = async (down: (down: boolean) => Promise<unknown>) => {
		await down(true);
		await delay(HOLD_MS);
		await down(false);
		await delay(HOLD_MS);
	};

	return {
		ended,
		async ssh(command) {
			const { stdout } = await run(
				'ssh',
				[
					...['-p', String(options.sshPort), '-i', join(directory, 'key'), '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=20'],
					...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
					...['technician@127.0.0.1', command],
				],
				{ timeout: 120_000 },
			);
			return stdout;
		},
		async tap(x, y) {
			const at = (axis: string, of: number) => ({ type: 'abs', data: { axis, value: Math.round(of * 32_767) } });
			await send(at('x', x), at('y', y));
			await press((down) => send({ type: 'btn', data: { button: 'left', down } }));
		},
		async type(text) {
			for (const character of text) {
				const key = { type: 'qcode', data: KEYS[character] ?? character };
				await press((down) => send({ type: 'key', data: { key, down } }));
			}
		},
		async picture(name) {
			const raw = join(directory, 'screen.ppm');
			await qmp.execute('screendump', { filename: raw });
			await qmp.execute('screendump', { filename: join(directory, `${name}.png`), format: 'png' });
			return colours(readFileSync(raw));
		},
		async powerCut() {
			qemu.kill('SIGKILL');
			await ended;
			qmp.close();
		},
	};
}

/** @returns how many different colours a picture (PPM, binary) has */
function colours(ppm: Buffer): number {
	const header = /^P6\s+\d+\s+\d+\s+255\s/.exec(ppm.subarray(0, 32).toString('latin1'));
	if (!header) throw new Error('QEMU made no PPM picture');
	const seen = new Set<number>();
	for (let at = header[0].length; at + 2 < ppm.length; at += 3) seen.add(ppm.readUIntBE(at, 3));
	return seen.size;
}
