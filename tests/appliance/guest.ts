/**
 * A kiosk PC in QEMU: UEFI, one disk with the image, a screen, a touch panel, two USB serial
 * adapters and one network.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { writeSetup } from './disk.ts';
import { addKernelAddon } from './kernel-addon.ts';
import { openQmp } from './qmp.ts';
import { openRootLine, ROOT_LINE_CREDENTIALS } from './root-line.ts';

const run = promisify(execFile);
const IMAGE = join(import.meta.dirname, '..', '..', 'image', 'out', 'kiosk.raw');
const FIRMWARE = '/usr/share/OVMF';
/**
 * Turns off processor features that emulation runs slowly (copying single bytes) or wrongly (AVX in
 * QEMU 7.2). Kernel and browser then use their code for older processors.
 */
const CPU = 'max,pku=off,erms=off,avx=off,avx2=off,fma=off,f16c=off';
/**
 * Size of the disk, as in the smallest PC of a dealer. Two versions and the data must fit on it.
 */
const DISK = '8G';
export const SCREEN = { width: 1920, height: 1080 };
/**
 * Time limit of a boot, ms. Without hardware virtualisation or on a busy host, it takes minutes.
 */
export const BOOT_LIMIT_MS = 1_200_000;
/** Time limit of one command of the technician, ms. */
const SSH_LIMIT_MS = 300_000;
/**
 * Duration of an injected touch or key press, and of the pause after it, ms. A person takes as
 * long.
 */
const HOLD_MS = 120;

export type Adapter = 'acceptor' | 'edc';

export interface GuestOptions {
	/**
	 * Folder with disk, firmware memory, keys and log. Guests that are started with the same folder
	 * are the same computer.
	 */
	directory: string;
	/** Files written to the setup partition before the start; by default none. */
	setup?: Readonly<Record<string, string>>;
	/** Setup files that the emulated firmware passes as systemd credentials. */
	credentials?: Readonly<Record<string, string>>;
	/** Ports on this host for the two adapters; without them the guest has no adapters. */
	ports?: Readonly<Record<Adapter, number>>;
	/**
	 * Boots without the signed kernel parameters of the tests. Then credentials have no effect, and
	 * there is no root line and no console.
	 */
	asShipped?: boolean;
	/** Port on this host for SSH; without it there is no SSH access. */
	sshPort?: number;
	/** Two UDP ports of this host over which a test exchanges frames with the kiosk's network. */
	wire?: { here: number; there: number };
	/** Shows the screen by VNC on 127.0.0.1:5909. */
	display?: boolean;
	/** The socket of an emulated TPM 2.0; without it the board has no TPM. */
	tpm?: string;
	/**
	 * Time of the board's clock at the start, e.g. "2020-01-01T00:00:00"; by default the right time.
	 */
	boardClock?: string;
	/** Ends QEMU when the guest resets itself. */
	endAtReset?: boolean;
}

export interface Guest {
	/**
	 * Runs a command over SSH as the technician, or tries to do so as another user. @returns standard
	 * output
	 */
	ssh(command: string, as?: { user?: string; options?: readonly string[] }): Promise<string>;
	/** Copies files into a folder of the technician. */
	copyIn(files: readonly string[], to: string): Promise<void>;
	/**
	 * Sends a text through a technician's SSH tunnel to an address that the kiosk connects to.
	 * @returns everything received until the other end closes
	 */
	tunnel(address: string, text: string): Promise<string>;
	/**
	 * Runs a command over the tests' root line (root-line.ts).
	 * @returns the command's output
	 */
	root(command: string, limitMs?: number): Promise<string>;
	/** Touches a place; both coordinates are from 0 to 1. */
	tap(x: number, y: number): Promise<void>;
	/** Types letters and digits on a plugged-in keyboard; "\n" is Enter, "\t" is Tab. */
	type(text: string): Promise<void>;
	/** Presses keys together, named as in QEMU, e.g. "ctrl-alt-f2". */
	keys(combination: string): Promise<void>;
	/**
	 * @returns what the screen shows; if a name is given, the picture is also saved under this name
	 */
	picture(name?: string): Promise<Picture>;
	/** Plugs an empty memory stick and a network adapter into the guest. */
	plugStrangers(): Promise<void>;
	/** Plugs a memory stick with the contents of a file. */
	plugStick(file: string): Promise<void>;
	/** Pulls the stick out, even while the guest reads it. */
	pullStick(): Promise<void>;
	unplug(adapter: Adapter): Promise<void>;
	plug(adapter: Adapter): Promise<void>;
	/** Stops the emulated processors. Bytes that devices send from then on stay queued. */
	freeze(): Promise<void>;
	/** Cuts the power. */
	powerCut(): Promise<void>;
	ended: Promise<unknown>;
}

export interface Picture {
	/** Number of different colours. */
	colours: number;
	/** @returns the colour at a place as 0xRRGGBB; both coordinates are from 0 to 1 */
	at(x: number, y: number): number;
	/** @returns a hash of the picture in this area, whose sides are given from 0 to 1 */
	rows(top: number, bottom: number, left: number, right: number): string;
}

/**
 * Makes disk, firmware memory and SSH key of a new computer. If the folder has a disk or a key, it
 * is kept.
 */
export async function createDisk(directory: string, image = IMAGE): Promise<void> {
	mkdirSync(directory, { recursive: true });
	if (existsSync(join(directory, 'disk.raw'))) return;
	await run('cp', ['--sparse=always', image, join(directory, 'disk.raw')]);
	await run('truncate', ['-s', DISK, join(directory, 'disk.raw')]);
	copyFileSync(join(FIRMWARE, 'OVMF_VARS_4M.fd'), join(directory, 'firmware.fd'));
	if (existsSync(join(directory, 'key'))) return;
	await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', join(directory, 'key')]);
}

/** @returns the technician's public key, for the setup partition */
export const publicKey = (directory: string): string => readFileSync(join(directory, 'key.pub'), 'utf8');

const KEYS: Readonly<Record<string, string>> = { '\n': 'ret', '\t': 'tab', ' ': 'spc' };

const adapterDevice = (id: Adapter) => ({
	driver: 'usb-serial',
	id,
	chardev: `${id}-line`,
	serial: id,
	bus: 'xhci.0',
	port: id === 'acceptor' ? '3' : '4',
	'always-plugged': true,
});
const asArgument = (device: Record<string, string | boolean>) =>
	Object.entries(device)
		.map(([name, value]) => (name === 'driver' ? String(value) : `${name}=${value === true ? 'on' : value}`))
		.join(',');

function network({ sshPort, wire }: GuestOptions): string[] {
	const user = sshPort === undefined ? 'user,id=net' : `user,id=net,hostfwd=tcp:127.0.0.1:${sshPort}-:22`;
	if (!wire) return ['-netdev', user, '-device', 'virtio-net-pci,netdev=net'];
	const port = (name: string, behind?: string) => [
		'-netdev',
		`hubport,hubid=0,id=${name}${behind === undefined ? '' : `,netdev=${behind}`}`,
	];
	return [
		...['-netdev', user, ...port('hub-net', 'net')],
		...['-netdev', `socket,id=wire,udp=127.0.0.1:${wire.here},localaddr=127.0.0.1:${wire.there}`, ...port('hub-wire', 'wire')],
		...[...port('card'), '-device', 'virtio-net-pci,netdev=card'],
	];
}

export async function startGuest(options: GuestOptions): Promise<Guest> {
	const { directory } = options;
	if (options.setup) await writeSetup(directory, options.setup);
	if (!options.asShipped) await addKernelAddon(directory);
	const qmpPath = join(directory, 'qmp.sock');
	const rootPath = join(directory, 'root.sock');
	const adapters = Object.entries(options.ports ?? {}).flatMap(([id, port]) => [
		...['-chardev', `socket,id=${id}-line,host=127.0.0.1,port=${port},server=off,reconnect=1`],
		...['-device', asArgument(adapterDevice(id as Adapter))],
	]);
	const tpm = options.tpm
		? ['-chardev', `socket,id=tpm,path=${options.tpm}`, '-tpmdev', 'emulator,id=tpm0,chardev=tpm', '-device', 'tpm-crb,tpmdev=tpm0']
		: [];
	const credentials = [...Object.entries(options.credentials ?? {}), ...Object.entries(ROOT_LINE_CREDENTIALS)].flatMap(([name, text]) => [
		'-smbios',
		`type=11,value=io.systemd.credential.binary:${name}=${Buffer.from(text).toString('base64')}`,
	]);
	const qemu = spawn(
		'qemu-system-x86_64',
		[
			...['-machine', 'q35,smm=off', '-accel', 'tcg,thread=multi,tb-size=1024', '-cpu', CPU],
			...['-smp', '2', '-m', '3072', '-display', options.display ? 'vnc=127.0.0.1:9' : 'none', '-vga', 'none', '-nodefaults'],
			...(options.boardClock === undefined ? [] : ['-rtc', `base=${options.boardClock}`]),
			...(options.endAtReset ? ['-action', 'reboot=shutdown'] : []),
			// Lets Intel's watchdog reset the board.
			...['-global', 'ICH9-LPC.noreboot=off'],
			...['-drive', `if=pflash,format=raw,readonly=on,file=${FIRMWARE}/OVMF_CODE_4M.fd`],
			...['-drive', `if=pflash,format=raw,file=${join(directory, 'firmware.fd')}`],
			// Without syncs the guest is faster. A power cut kills only QEMU, so the host still stores
			// completed writes.
			...['-drive', `if=virtio,format=raw,file=${join(directory, 'disk.raw')},cache=unsafe`],
			...['-device', `virtio-gpu-pci,xres=${SCREEN.width},yres=${SCREEN.height}`],
			...['-device', 'qemu-xhci,id=xhci,p2=8,p3=8', '-device', 'usb-tablet,bus=xhci.0,port=1', '-device', 'usb-kbd,bus=xhci.0,port=2'],
			...adapters,
			...tpm,
			...network(options),
			...['-qmp', `unix:${qmpPath},server=on,wait=off`, '-serial', `file:${join(directory, 'console.log')}`],
			...['-device', 'virtio-serial-pci', '-chardev', `socket,id=root,path=${rootPath},server=on,wait=off`],
			...['-device', 'virtserialport,chardev=root,name=kiosk-test'],
			...credentials,
		],
		{ stdio: ['ignore', 'inherit', 'inherit'] },
	);
	const ended = once(qemu, 'exit');
	const qmp = await openQmp(qmpPath);
	const rootLine = await openRootLine(rootPath);
	const send = (...events: object[]) => qmp.execute('input-send-event', { events });
	const key = (name: string, down: boolean) => send({ type: 'key', data: { key: { type: 'qcode', data: name }, down } });
	const press = async (down: (down: boolean) => Promise<unknown>) => {
		await down(true);
		await delay(HOLD_MS);
		await down(false);
		await delay(HOLD_MS);
	};
	const remove = async (id: string): Promise<void> => {
		const gone = qmp.event('DEVICE_DELETED', ({ device }) => device === id);
		await qmp.execute('device_del', { id });
		await gone;
	};
	const plugStick = async (file: string): Promise<void> => {
		await qmp.execute('blockdev-add', { driver: 'raw', 'node-name': 'stick', file: { driver: 'file', filename: file } });
		await qmp.execute('device_add', { driver: 'usb-storage', id: 'stick', drive: 'stick', bus: 'xhci.0', port: '5' });
	};
	const sshOptions = [
		...['-o', `Port=${options.sshPort}`, '-i', join(directory, 'key'), '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=60'],
		...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
	];

	return {
		ended,
		async ssh(command, { user = 'technician', options: more = [] } = {}) {
			const { stdout } = await run('ssh', [...sshOptions, ...more, `${user}@127.0.0.1`, command], { timeout: SSH_LIMIT_MS });
			return stdout;
		},
		async copyIn(files, to) {
			await run('scp', [...sshOptions, ...files, `technician@127.0.0.1:${to}`], { timeout: SSH_LIMIT_MS });
		},
		async tunnel(address, text) {
			const through = run('ssh', ['-o', 'LogLevel=INFO', ...sshOptions, '-W', address, 'technician@127.0.0.1'], { timeout: SSH_LIMIT_MS });
			through.child.stdin?.write(text);
			return (await through).stdout;
		},
		root: rootLine.run,
		async tap(x, y) {
			const at = (axis: string, of: number) => ({ type: 'abs', data: { axis, value: Math.round(of * 32_767) } });
			await send(at('x', x), at('y', y));
			await press((down) => send({ type: 'btn', data: { button: 'left', down } }));
		},
		async type(text) {
			for (const character of text) await press((down) => key(KEYS[character] ?? character, down));
		},
		async keys(combination) {
			const names = combination.split('-');
			for (const name of names) await key(name, true);
			await delay(HOLD_MS);
			for (const name of names.reverse()) await key(name, false);
			await delay(HOLD_MS);
		},
		async picture(name) {
			const raw = join(directory, 'screen.ppm');
			await qmp.execute('screendump', { filename: raw });
			if (name !== undefined) await qmp.execute('screendump', { filename: join(directory, `${name}.png`), format: 'png' });
			return look(readFileSync(raw));
		},
		async plugStrangers() {
			const stick = join(directory, 'stick.raw');
			await run('truncate', ['-s', '8M', stick]);
			await plugStick(stick);
			await qmp.execute('netdev_add', { type: 'user', id: 'tether' });
			await qmp.execute('device_add', { driver: 'usb-net', id: 'tether', netdev: 'tether', bus: 'xhci.0', port: '6' });
		},
		plugStick,
		async pullStick() {
			await remove('stick');
			await qmp.execute('blockdev-del', { 'node-name': 'stick' });
		},
		unplug: remove,
		plug: async (adapter) => void (await qmp.execute('device_add', adapterDevice(adapter))),
		freeze: async () => void (await qmp.execute('stop')),
		async powerCut() {
			qemu.kill('SIGKILL');
			await ended;
			qmp.close();
			rootLine.close();
		},
	};
}

/** @param ppm binary PPM picture */
function look(ppm: Buffer): Picture {
	const [header = '', width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.subarray(0, 32).toString('latin1')) ?? [];
	if (header === '') throw new Error('QEMU did not return a PPM picture');
	const pixel = (index: number) => ppm.readUIntBE(header.length + 3 * index, 3);
	const seen = new Set<number>();
	for (let index = 0; index < Number(width) * Number(height); index += 1) seen.add(pixel(index));
	const index = (x: number, y: number) => Math.floor(y * Number(height)) * Number(width) + Math.floor(x * Number(width));
	return {
		colours: seen.size,
		at: (x, y) => pixel(index(x, y)),
		rows(top, bottom, left, right) {
			const hash = createHash('sha256');
			for (let y = Math.floor(top * Number(height)); y < bottom * Number(height); y += 1) {
				const start = header.length + 3 * index(left, y / Number(height));
				hash.update(ppm.subarray(start, start + 3 * Math.floor((right - left) * Number(width))));
			}
			return hash.digest('hex');
		},
	};
}
