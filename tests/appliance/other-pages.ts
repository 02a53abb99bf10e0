/**
 * Opens other addresses in the image's browser. The policy of the kiosk's browser forbids remote
 * debugging. Therefore a second browser runs beside it. Its policy is the same, without the two
 * lines about debugging.
 */
import type { Guest } from './guest.ts';

/** Shell script that runs as root in its own mount namespace: $1 is ASK, $2 the addresses. */
const BROWSER = `
mkdir -p /run/probe
sed '/RemoteDebuggingAllowed/d; /DeveloperToolsAvailability/d' /etc/chromium/policies/managed/kiosk.json >/run/probe/kiosk.json
mount --bind /run/probe /etc/chromium/policies/managed
install -d -o nobody /tmp/probe
runuser -u nobody -- env HOME=/tmp/probe /usr/lib/chromium/chromium --headless=new --disable-gpu --user-data-dir=/tmp/probe/profile \\
	--ipc-connection-timeout=180 --remote-debugging-port=9222 http://127.0.0.1:8080/ >/dev/null 2>&1 &
timeout 900 /usr/lib/kiosk/node_modules/.bin/node -e "$1" "$2"
answer=$?
pkill -u nobody
exit $answer
`;

/**
 * Program for the image's Node. It opens every address in a tab of its own. All tabs share one
 * connection to the browser: with a connection for each address, the emulated browser crashed in
 * half of the runs.
 */
const ASK = `
const browser = async () => {
	for (;;) {
		const found = await fetch('http://127.0.0.1:9222/json/version').then((answer) => answer.json(), () => null);
		if (found) return new WebSocket(found.webSocketDebuggerUrl);
		await new Promise((later) => setTimeout(later, 500));
	}
};
(async () => {
	const line = await browser();
	line.onclose = () => {
		console.log('the browser has ended');
		process.exit(1);
	};
	await new Promise((open) => (line.onopen = open));
	const waiting = new Map();
	line.onmessage = ({ data }) => {
		const { id, result, error } = JSON.parse(data);
		waiting.get(id)?.(result ?? { errorText: error?.message });
	};
	const ask = (method, params, sessionId) =>
		new Promise((answered) => {
			const id = waiting.size + 1;
			waiting.set(id, answered);
			line.send(JSON.stringify({ id, method, params, sessionId }));
		});
	const answers = {};
	for (const url of JSON.parse(process.argv[1])) {
		const { targetId } = await ask('Target.createTarget', { url: 'about:blank' });
		const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true });
		answers[url] = (await ask('Page.navigate', { url }, sessionId)).errorText ?? 'shown';
	}
	console.log(JSON.stringify(answers));
	process.exit();
})();
`;

/** @returns for each address "shown" or the browser's error */
export async function browserOn(guest: Guest, addresses: readonly string[]): Promise<Record<string, string>> {
	const words = [BROWSER, 'probe', ASK, JSON.stringify(addresses)].map(
		(text) => `"$(echo ${Buffer.from(text).toString('base64')} | base64 -d)"`,
	);
	return JSON.parse(await guest.root(`unshare --mount bash -c ${words.join(' ')}`));
}
