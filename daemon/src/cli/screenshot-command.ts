import { writeFileSync } from 'node:fs';
import { pictureOfScreen, SCREENSHOT_SOCKET } from '../screen/screenshot.ts';

/**
 * Takes a picture through the compositor, because a debugging port of the browser would be an
 * attack surface.
 * @param out file to write
 * @param drawn the page's last report about its content; null if there is none
 * @returns a sentence for the terminal
 * @throws an error whose message gives the reason
 */
export async function screenshot(
	out: string,
	drawn: { screen: string; ago_ms: number } | null,
	socket: string = SCREENSHOT_SOCKET,
): Promise<string> {
	if (out === '') throw new Error('Give the file to write: --out FILE');
	const instead = drawn
		? `The screen reports that it shows ${drawn.screen}, drawn ${Math.round(drawn.ago_ms / 1_000)} s ago.`
		: 'The screen has not reported which page it shows.';
	const picture = await pictureOfScreen(socket).catch((error: Error) => {
		throw new Error(`${error.message} ${instead}`);
	});
	writeFileSync(out, picture);
	return `${out}: written.`;
}
