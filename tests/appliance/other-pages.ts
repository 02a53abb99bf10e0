/**
 * What the image's browser says to an address. Its own policy forbids the line that could ask it, so a second browser is started beside the
 * kiosk's, under the same policy without those two lines.
 */
import type { Machine } from './machine.ts';

/** Runs as root in a mount namespace of its own: $1 is ASK, $2 the addresses. */
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

/** Runs in the image's Node. */
const ASK = `
const page = async () => {
	for (;;) {
		const all = await fetch('http://127.0.0.1:9222/json/list').then((answer) => answer.json(), () => []);
		const found = all.find(({ type }) => type === 'page');
		if (found) return found;
		await new Promise((later) => setTimeout(later, 500));
	}
};
(async () => {
	const answers = {};
	for (const url of JSON.parse(process.argv[1])) {
		// A page that takes another's place takes the line with it.
		const line = new WebSocket((await page()).webSocketDebuggerUrl);
		answers[url] = await new Promise((resolve) => {
			line.onopen = () => line.send(JSON.stringify({ id: 1, method: 'Page.navigate', params: { url } }));
			line.onmessage = ({ data }) => {
				const { id, result, error } = JSON.parse(data);
				if (id === 1) resolve(result?.errorText ?? error?.message ?? 'shown');
			};
			line.onclose = () => resolve('closed');
		});
		line.close();
	}
	console.log(JSON.stringify(answers));
	process.exit();
})();
`;

/** @returns for each address "shown", or the browser's reason why not */
export async function browserOn(machine: Machine, addresses: readonly string[]): Promise<Record<string, string>> {
	const words = [BROWSER, 'probe', ASK, JSON.stringify(addresses)].map(
		(text) => `"$(echo ${Buffer.from(text).toString('base64')} | base64 -d)"`,
	);
	return JSON.parse(await machine.root(`unshare --mount bash -c ${words.join(' ')}`));
}
