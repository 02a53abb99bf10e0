import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The socket of kiosk-screenshot.socket. For each connection, systemd runs the screenshot program
 * as the screen's user and sends the program's output.
 */
export const SCREENSHOT_SOCKET = '/run/kiosk/screenshot.sock';
/** Maximum duration of one screenshot: long enough even for an emulated PC. */
const LIMIT_MS = 60_000;
/** First bytes of every PNG file (ISO/IEC 15948, 5.2). */
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @returns a PNG of the compositor's output @throws with a sentence that gives the reason */
export async function pictureOfScreen(socket: string = SCREENSHOT_SOCKET): Promise<Buffer> {
	const picture = await pictureFrom(socket).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') throw new Error('No picture: only the appliance has a compositor to take one from.');
		if (error.code === 'EACCES') throw new Error('No picture: access denied; your account must be in the group kiosk-staff.');
		throw new Error(`No picture: ${error.message}.`);
	});
	if (!picture.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
		throw new Error("No picture: the compositor does not run; journalctl -u kiosk-screen -u 'kiosk-screenshot*' gives the reason.");
	}
	return picture;
}

function pictureFrom(path: string): Promise<Buffer> {
	const socket = connect(path).setTimeout(LIMIT_MS, () => socket.destroy(new Error(`no answer within ${LIMIT_MS / 1_000} s`)));
	return buffer(socket);
}
