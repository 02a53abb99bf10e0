import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where compositors keep their sockets: of who asks, and of the appliance's screen. */
const PLACES = [process.env.XDG_RUNTIME_DIR ?? '', '/run/kiosk-screen'];

/**
 * A picture from the compositor. The page cannot take one of itself, and a debugging port of the browser would be a way in.
 * @param out file @returns what to say @throws with a sentence that says what is missing
 */
export function screenshot(out: string, drawn: { screen: string; ago_ms: number } | null): string {
	const instead = drawn
		? `The screen itself says that it shows ${drawn.screen}, drawn ${Math.round(drawn.ago_ms / 1_000)} s ago.`
		: 'The screen has not said what it shows.';
	if (out === '') throw new Error('Into which file? --out FILE');
	if (spawnSync('grim', ['-h'], { stdio: 'ignore' }).error)
		throw new Error(`No picture: the program grim is not on this machine. ${instead}`);
	const socket = PLACES.flatMap(socketsIn)[0];
	if (!socket) throw new Error(`No picture: you may not reach a Wayland compositor here; only the account of the screen may. ${instead}`);
	const { status, stderr } = spawnSync('grim', [out], { encoding: 'utf8', env: { ...process.env, ...socket } });
	if (status !== 0) throw new Error(`No picture: grim says ${stderr.trim()}. ${instead}`);
	return `${out}: written.`;
}

function socketsIn(folder: string): Record<string, string>[] {
	try {
		return readdirSync(folder)
			.filter((name) => /^wayland-\d+$/.test(name))
			.map((name) => ({ XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: join(folder, name) }));
	} catch {
		return [];
	}
}
