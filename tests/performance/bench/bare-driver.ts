/**
 * The least that an ICT driver can do on a serial path: answer the power-up, poll, and accept each
 * note at once. This driver checks and records nothing.
 */
import { SerialPort } from 'serialport';

const ACCEPT = 0x02;
const POLL = 0x0c;
const POLL_MS = 300;
const POWER_UP = 0x8f;
const NOTES = { first: 0x40, last: 0x4f };

const port = new SerialPort({ path: process.argv[2] ?? '', baudRate: 9_600, parity: 'even' });
port.on('data', (bytes: Buffer) => {
	for (const byte of bytes) if (byte === POWER_UP || (byte >= NOTES.first && byte <= NOTES.last)) port.write([ACCEPT]);
});
setInterval(() => port.write([POLL]), POLL_MS);
