/** `make boot`: the image in QEMU with simulated devices, for a person. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../harness/daemon.ts';
import { startAcceptor } from '../simulators/acceptor/start.ts';
import { startBackOffice } from '../simulators/back-office/start.ts';
import { startEdc } from '../simulators/edc/start.ts';
import { newDisk, publicKey, startMachine } from './machine.ts';
import { PRINTER_PORT, startPaper } from './paper.ts';
import { kioskToml } from './setup-files.ts';

const kept = process.argv[2];
const directory = kept ?? mkdtempSync(join(tmpdir(), 'kiosk-boot-'));
const backOffice = await startBackOffice({ port: 0 });
const acceptor = await startAcceptor({ port: 0 });
const edc = await startEdc({ port: 0 });
await startPaper();
await newDisk(directory);
const sshPort = await freePort();
const setup = {
	'kiosk.toml': kioskToml({ backOfficePort: backOffice.port, printerPort: PRINTER_PORT }),
	authorized_keys: publicKey(directory),
};
const machine = await startMachine({
	directory,
	setup,
	ports: { acceptor: Number(acceptor.port), edc: Number(edc.port) },
	sshPort,
	display: true,
});
process.stdout.write(`
  The kiosk boots from image/out/kiosk.raw. Without a window it is at vnc://127.0.0.1:5909.
  Log in with "${backOffice.account.username}", "${backOffice.account.password}".
  ssh -p ${sshPort} -i ${directory}/key technician@127.0.0.1
  Ctrl-C pulls the plug; the disk is kept only where a folder was named.
`);
process.once('SIGINT', () => void machine.powerCut());
await machine.ended;
if (kept === undefined) rmSync(directory, { recursive: true, force: true });
process.exit(0);
