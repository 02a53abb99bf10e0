import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** kiosk-screenshot.socket: systemd answers with a picture of the compositor, taken by the account of the screen. */
const SCREENSHOT_SOCKET = '/run/kiosk/screenshot.sock';
/** An emulated machine takes its time. */
const LIMIT_MS = 60_000;
/** PNG, ISO/IEC 15948, 5.2. */
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A picture from the compositor. The page cannot take one of itself, and a debugging port of the browser would be a way in.
 * @param out file @param drawn what the page has said last @returns what to say @throws with a sentence that says what is missing
 */
export async function screenshot(
	out: string,
	drawn: { screen: string; ago_ms: number } | null,
	socket: string = SCREENSHOT_SOCKET,
): Promise<string> {
	if (out === '') throw new Error('Into which file? --out FILE');
	const instead = drawn
		? `The screen itself says that it shows ${drawn.screen}, drawn ${Math.round(drawn.ago_ms / 1_000)} s ago.`
		: 'The screen has not said what it shows.';
	const picture = await pictureOfScreen(socket).catch((error: Error) => {
		throw new Error(`${error.message} ${instead}`);
	});
	writeFileSync(out, picture);
	return `${out}: written.`;
}

/** @returns a PNG of what the compositor shows @throws with a sentence that says what is missing */
export async function pictureOfScreen(socket: string = SCREENSHOT_SOCKET): Promise<Buffer> {
	const picture = await pictureFrom(socket).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') throw new Error('No picture: only the appliance has a compositor to take one from.');
		if (error.code === 'EACCES') throw new Error('No picture: your account may not ask for one; the group kiosk-staff may.');
		throw new Error(`No picture: ${error.message}.`);
	});
	if (!picture.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
		throw new Error("No picture: the compositor does not run; journalctl -u kiosk-screen -u 'kiosk-screenshot*' says why.");
	}
	return picture;
}

function pictureFrom(path: string): Promise<Buffer> {
	const socket = connect(path).setTimeout(LIMIT_MS, () => socket.destroy(new Error(`no answer within ${LIMIT_MS / 1_000} s`)));
	return buffer(socket);
}
