/**
 * Parses the section `[fleet]` of the setup file: the destinations of log and metrics, and their
 * certificates. Without an address the kiosk sends nothing.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import * as v from 'valibot';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { SettingsRefused } from '../settings/settings.ts';
import { problemSentence } from '../settings/settings-problem.ts';
import { parseCertificate } from './appliance.ts';
import type { SystemFile } from './system-files.ts';

/**
 * Files beside the setup file: the kiosk's certificate and key, and the certificate authority of
 * the owner's server.
 */
const FLEET_FILES = ['fleet.pem', 'fleet.key', 'fleet-ca.pem'] as const;
type FleetFile = (typeof FLEET_FILES)[number];

/** Host, port and path, without characters that are special in the files written below. */
const ADDRESS = /^https:\/\/([A-Za-z\d.-]+|\[[A-Fa-f\d:]+\])(:\d+)?(\/[\w.~/-]*)?$/;
const isAddress = (text: string): boolean => ADDRESS.test(text) && URL.canParse(text);

const Settings = v.pipe(
	v.strictObject({
		logs: v.optional(
			v.pipe(
				v.string('an address in quotes'),
				v.check(
					(text) => isAddress(text) && !/\/upload\/*$/.test(text),
					'an address such as "https://fleet.example.id:19532", without the /upload that the kiosk adds',
				),
			),
		),
		metrics: v.optional(
			v.pipe(
				v.string('an address in quotes'),
				v.check(
					(text) => isAddress(text) && new URL(text).pathname !== '/',
					'an address with its path such as "https://fleet.example.id:9090/api/v1/write"',
				),
			),
		),
		name: v.optional(
			v.pipe(v.string('a name in quotes'), v.regex(/^[A-Za-z\d._-]{1,64}$/, 'a name of 1 to 64 letters, digits, ".", "_" and "-"')),
		),
		scrape_seconds: v.optional(
			v.pipe(
				v.number('a whole number of seconds'),
				v.check((seconds) => Number.isInteger(seconds) && seconds >= 15 && seconds <= 300, 'a whole number of seconds from 15 to 300'),
			),
			30,
		),
	}),
	v.forward(
		v.check(
			({ logs, metrics, name }) => name !== undefined || (logs === undefined && metrics === undefined),
			'the name that the owner gives this kiosk; data that are sent need it',
		),
		['name'],
	),
);

export interface Fleet {
	settings: v.InferOutput<typeof Settings>;
	/** Certificates and key in PEM form. */
	files: Record<FleetFile, string>;
}

/**
 * Reads the fleet section and its certificates, which are valid only together.
 * @param section the `[fleet]` section, or undefined
 * @param source the text that contains the section, so that a refusal can name the line
 * @param read reads a file beside the setup file; called only if the section has an address
 * @returns null if the kiosk sends nothing. Problems are sentences that name the file
 */
export function parseFleet(
	section: unknown,
	source: string,
	read: (file: FleetFile) => Result<string, SettingsRefused>,
): Result<Fleet | null, SettingsRefused> {
	const parsed = v.safeParse(v.object({ fleet: v.optional(Settings, {}) }), { fleet: section });
	if (!parsed.success) return refused(parsed.issues.map((issue) => `kiosk.toml, ${problemSentence(issue, source)}`));
	const settings = parsed.output.fleet;
	if (settings.logs === undefined && settings.metrics === undefined) return ok(null);

	const problems: string[] = [];
	const checked = <T>(file: FleetFile, parse: (text: string) => Result<T, SettingsRefused>): T | null => {
		const text = read(file);
		const value = text.ok ? parse(text.value) : text;
		if (value.ok) return value.value;
		problems.push(...value.error.problems.map((problem) => `${file}, ${problem}`));
		return null;
	};
	const certificate = checked('fleet.pem', parseCertificate);
	const key = checked('fleet.key', parseKey);
	const authority = checked('fleet-ca.pem', parseCertificate);
	if (certificate !== null && key !== null && !new X509Certificate(certificate).checkPrivateKey(key.object)) {
		problems.push('fleet.key, this is not the key of the certificate in fleet.pem');
	}
	if (certificate === null || key === null || authority === null || problems.length > 0) return refused(problems);
	return ok({ settings, files: { 'fleet.pem': certificate, 'fleet.key': key.text, 'fleet-ca.pem': authority } });
}

const refused = (problems: string[]) => fail({ code: 'settings_refused' as const, problems });

function parseKey(text: string): Result<{ text: string; object: KeyObject }, SettingsRefused> {
	try {
		return ok({ text, object: createPrivateKey(text) });
	} catch (error) {
		return refused([`this is not a private key in PEM form without a passphrase: ${messageOf(error)}`]);
	}
}

const FOLDER = '/run/kiosk-fleet';
/** Settings of systemd-journal-upload. */
const LOGS = '/run/systemd/journal-upload.conf.d/kiosk.conf';
const METRICS = `${FOLDER}/agent.yml`;

/**
 * File with the kiosk's name, which becomes the PC's host name, because every log entry contains
 * it.
 */
const NAME = `${FOLDER}/name`;

/** All paths that `fleetFiles` may return. They are deleted before the files are written. */
export const FLEET_PATHS: readonly string[] = [LOGS, METRICS, NAME, ...FLEET_FILES.map((file) => `${FOLDER}/${file}`)];

/**
 * @param daemon host:port of the daemon's metrics
 * @returns the files of systemd-journal-upload and of a Prometheus agent
 */
export function fleetFiles({ settings, files }: Fleet, daemon: string): SystemFile[] {
	// Only the group of the two programs may read the key.
	const all = FLEET_FILES.map((file) => ({ path: `${FOLDER}/${file}`, text: files[file], mode: file === 'fleet.key' ? 0o640 : 0o644 }));
	all.push({ path: NAME, text: `${settings.name}\n`, mode: 0o644 });
	if (settings.logs !== undefined) all.push({ path: LOGS, text: uploadConf(settings.logs), mode: 0o644 });
	if (settings.metrics !== undefined) all.push({ path: METRICS, text: agentYml(settings, daemon), mode: 0o644 });
	return all;
}

function uploadConf(logs: string): string {
	const { hostname, port, pathname } = new URL(logs);
	// systemd-journal-upload appends /upload. Without a port it would use 19532, not the https
	// default.
	return `[Upload]
URL=https://${hostname}:${port || 443}${pathname.replace(/\/+$/, '')}
ServerKeyFile=${FOLDER}/fleet.key
ServerCertificateFile=${FOLDER}/fleet.pem
TrustedCertificateFile=${FOLDER}/fleet-ca.pem
`;
}

/**
 * @returns the settings of the Prometheus agent. It has one connection and slow retries, because
 * all kiosks reconnect at the same time after an outage
 */
const agentYml = (
	{ metrics, name, scrape_seconds }: Fleet['settings'],
	daemon: string,
): string => `global: { scrape_interval: ${scrape_seconds}s }
scrape_configs:
  - job_name: kiosk
    static_configs: [{ targets: ["${daemon}"], labels: { instance: "${name}" } }]
remote_write:
  - url: "${metrics}"
    tls_config: { ca_file: ${FOLDER}/fleet-ca.pem, cert_file: ${FOLDER}/fleet.pem, key_file: ${FOLDER}/fleet.key }
    queue_config: { max_shards: 1, max_backoff: 1m }
`;
