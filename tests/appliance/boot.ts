/** `make boot`: runs the image in QEMU with simulated devices, for interactive use. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLES } from '../simulators/back-office/seed.ts';
import { startPanel } from '../simulators/panel/start.ts';
import { escposText } from '../simulators/printer/escpos-text.ts';
import { FREE_PORTS, startAll } from '../simulators/start-all.ts';
import { freePort } from '../support/daemon.ts';
import { createDisk, publicKey, startGuest } from './guest.ts';
import { PRINTER_PORT, startPaper } from './paper.ts';
import { kioskToml } from './setup-files.ts';

const kept = process.argv[2];
const directory = kept ?? mkdtempSync(join(tmpdir(), 'kiosk-boot-'));
const devices = await startAll({ ports: FREE_PORTS });
const { backOffice, acceptor, edc } = devices;
const screenUrl = 'vnc://127.0.0.1:5909';
const panel = await startPanel(0, { ...devices, daemon: null, screenUrl });
await startPaper((sheet) => process.stdout.write(`\n${escposText(sheet)}\n`));
await createDisk(directory);
const sshPort = await freePort();
const setup = {
	'kiosk.toml': kioskToml({ backOfficePort: backOffice.port, printerPort: PRINTER_PORT }),
	authorized_keys: publicKey(directory),
};
const guest = await startGuest({
	directory,
	setup,
	ports: { acceptor: Number(acceptor.port), edc: Number(edc.port) },
	sshPort,
	display: true,
});
process.stdout.write(`
  The kiosk boots from image/out/kiosk.raw; its screen is at ${screenUrl}, after a minute or two without hardware virtualisation.
  Operate banknotes, cards and the network at ${panel.url}; receipts are printed here.
  Log in with "${backOffice.account.username}", "${backOffice.account.password}"; a phone number to try is ${SAMPLES[0]?.hp}.
  ssh -p ${sshPort} -i ${directory}/key technician@127.0.0.1
  Ctrl-C cuts the power; the disk is kept only if you named a folder.
`);
process.once('SIGINT', () => void guest.powerCut());
await guest.ended;
if (kept === undefined) rmSync(directory, { recursive: true, force: true });
process.exit(0);
