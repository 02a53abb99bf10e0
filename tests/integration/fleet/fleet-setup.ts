import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applySetup } from '../../../daemon/src/setup/apply.ts';
import type { Pair } from './certificates.ts';

const UNITS = join(import.meta.dirname, '..', '..', '..', 'systemd');
type Unit = 'kiosk-fleet-logs' | 'kiosk-fleet-metrics';

export interface FleetSetup {
	/** @returns whether all files exist that systemd needs to start the unit */
	starts(unit: Unit): boolean;
	/**
	 * Starts the unit's command. The program finds the files that kiosk-setup wrote in /run, and
	 * keeps its state between runs.
	 * @param changed adapts the command to the test, e.g. with another path or other parameters
	 */
	run(unit: Unit, changed: (command: string[]) => string[]): ChildProcess;
}

/** Runs kiosk-setup on a setup partition with these lines of `[fleet]`. @param daemon host:port */
export function setUpFleet(folder: string, fleet: string, daemon: string, certificates: { ca: string; client: Pair }): FleetSetup {
	const [partition, root] = [join(folder, 'partition'), join(folder, 'root')];
	mkdirSync(partition, { recursive: true });
	writeFileSync(join(partition, 'kiosk.toml'), `[screen]\nservice_listen = "${daemon}"\n[fleet]\n${fleet}\n`);
	copyFileSync(certificates.client.cert, join(partition, 'fleet.pem'));
	copyFileSync(certificates.client.key, join(partition, 'fleet.key'));
	copyFileSync(certificates.ca, join(partition, 'fleet-ca.pem'));
	const problems = applySetup({ sources: [partition], good: join(folder, 'good'), version: '0.2.0', root });
	if (problems.length > 0) throw new Error(problems.join('\n'));

	const setting = (unit: Unit, name: string): string[] =>
		[...readFileSync(join(UNITS, `${unit}.service`), 'utf8').matchAll(new RegExp(`^${name}=(.*)`, 'gm'))].map(([, value = '']) => value);
	return {
		starts: (unit) => setting(unit, 'ConditionPathExists').every((path) => existsSync(join(root, path))),
		run(unit, changed) {
			mkdirSync(join(root, 'var/lib', setting(unit, 'StateDirectory')[0] ?? ''), { recursive: true });
			const command = changed((setting(unit, 'ExecStart')[0] ?? '').split(' '));
			const own = `mount --bind ${root}/run /run && mount --bind ${root}/var/lib /var/lib && exec "$@"`;
			const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
			return spawn('unshare', [...asUser, '--mount', 'sh', '-c', own, 'sh', ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
		},
	};
}
