import { request } from 'node:http';

/** Result of a call to the daemon. `message`: why no answer came. */
export type Asked = { ok: true; status: number; text: string } | { ok: false; message: string };

/** Calls the running daemon over its staff socket. */
export function askDaemon(socketPath: string, method: string, path: string, body: object | null, accept: string): Promise<Asked> {
	return new Promise((resolve) => {
		const call = request({ socketPath, path, method, headers: { Accept: accept } }, async (response) => {
			let text = '';
			try {
				for await (const chunk of response.setEncoding('utf8')) text += chunk;
				resolve({ ok: true, status: response.statusCode ?? 0, text });
			} catch (error) {
				resolve({ ok: false, message: String(error) });
			}
		});
		call.on('error', (error) => resolve({ ok: false, message: error.message }));
		call.end(body ? JSON.stringify(body) : undefined);
	});
}

/** @returns what the technician should do if the daemon does not answer */
export function silenceRemedy(message: string): string {
	if (message.includes('EACCES')) return 'Access denied: your account must be in the group kiosk-staff.';
	if (message.includes('ENOENT')) return 'Check that it runs (systemctl status kioskd) and that --config is the file it was started with.';
	return 'Check that it runs: systemctl status kioskd; then read its log: kioskctl logs --since 10m.';
}
