import { spawn } from 'node:child_process';
import { SerialPort } from 'serialport';
import { closedOnce, type LineSettings, type OpenPort, UNREAD_BYTES } from './port.ts';

/**
 * Switches on the parity check of received bytes. Linux always generates parity when sending, but
 * checks it when receiving only if INPCK is set. serialport never sets INPCK, so a note code with
 * one flipped bit would arrive as another note. With INPCK a damaged byte is dropped, the escrow
 * times out and the note goes back to the customer, which is the safe failure.
 */
function checkParityOnReceive(path: string, warn: (message: string) => void): void {
	const stty = spawn('stty', ['-F', path, 'inpck'], { stdio: 'ignore' });
	stty.on('error', (error) => warn(`received parity is not checked on ${path}: ${error.message}`));
	stty.on('exit', (code) => {
		if (code) warn(`received parity is not checked on ${path}: stty ended with ${code}`);
	});
}

/**
 * A tty: real port, USB adapter or pty. `warn` receives problems that do not stop the line but that
 * a technician should see.
 */
export const serialPort =
	(path: string, line: LineSettings, warn: (message: string) => void): OpenPort =>
	(listener) => {
		const closed = closedOnce(listener);
		const port = new SerialPort({
			path,
			baudRate: line.baud,
			dataBits: line.dataBits,
			parity: line.parity,
			stopBits: line.stopBits,
			lock: true,
			autoOpen: false,
		});
		// Reading must begin at the moment of opening: if a line hangs up before the first read, the
		// library loops endlessly and reports nothing.
		port.on('data', (bytes: Buffer) => listener.data(bytes));
		port.on('error', (error) => closed(error.message));
		port.on('close', (error: Error | null) => closed(error?.message ?? 'the line was closed'));
		port.open((error) => {
			if (error) return closed(error.message);
			if (line.parity !== 'none') checkParityOnReceive(path, warn);
			listener.opened();
		});
		return {
			write(bytes) {
				if (!port.isOpen) return;
				port.write(Buffer.from(bytes));
				if (port.writableLength <= UNREAD_BYTES) return;
				port.destroy();
				closed('the device does not read the bytes sent to it');
			},
			pause: () => void port.pause(),
			resume: () => void port.resume(),
			close: () => {
				// If an earlier `close` still waits for a line that hangs, `destroy` ends the library's
				// read loop.
				if (port.isOpen) port.close(() => undefined);
				else port.destroy();
				closed('closed by the daemon');
			},
		};
	};
