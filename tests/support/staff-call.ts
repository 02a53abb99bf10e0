import { join } from 'node:path';
import { askDaemon } from '../../daemon/src/staff/ask-daemon.ts';
import { staffSocketPath } from '../../daemon/src/staff/staff-socket.ts';
import type { Kiosk } from './kiosk.ts';

/**
 * Makes a call on the daemon's staff socket, as kioskctl does.
 * @returns the answer's status and JSON; an empty answer counts as `{}`
 */
export async function staffCall<T = Record<string, unknown>>(
	{ directory }: Pick<Kiosk, 'directory'>,
	method: string,
	path: string,
	body: object | null = null,
): Promise<{ status: number; body: T }> {
	const asked = await askDaemon(staffSocketPath(join(directory, 'journal')), method, path, body, 'application/json');
	if (!asked.ok) throw new Error(asked.message);
	return { status: asked.status, body: JSON.parse(asked.text || '{}') as T };
}
