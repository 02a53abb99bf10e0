/** `kiosk-update restart`: restarts into the installed version if the daemon permits it. */
import type { Clock } from '../base/clock.ts';
import type { Day } from '../settings/update-settings.ts';
import type { DaemonLink } from './daemon-link.ts';
import type { Run } from './runner.ts';
import type { State, StateFile } from './state.ts';
import { isInWindow } from './window.ts';

const REBOOT_MS = 60_000;

export interface RestartDeps {
	state: StateFile;
	daemon: DaemonLink;
	run: Run;
	clock: Clock;
	timezone: string;
	/** Hours and days of the settings; null without a section `[update]`. */
	hours: { window: string; days: readonly Day[] } | null;
	everyDay: readonly Day[];
}

/**
 * Tries once to restart.
 * @returns whether to try again later
 */
export async function restart(of: RestartDeps): Promise<boolean> {
	const before = of.state.read();
	if (before.state !== 'written' && before.state !== 'waiting' && before.state !== 'restarting') return false;
	const closed = before.by_person ? null : problemOfHours(of, before);
	if (closed !== null) return wait(of, 'window', closed);
	const lease = await of.daemon.lease(before.by_person ? 'person' : 'update');
	if (!lease.ok) return wait(of, lease.error.code, lease.error.message);
	if (!lease.value.granted) {
		const { reasons } = lease.value;
		return wait(of, reasons[0]?.code ?? 'unknown', reasons.map(({ text }) => text).join('; '));
	}
	// The state may have changed while the daemon decided: a check may have found a hold.
	const now = of.state.read();
	if (now.state !== before.state || now.version !== before.version) {
		await of.daemon.release();
		return false;
	}
	const trial = await of.daemon.trial();
	of.state.change({ state: 'restarting', devices: trial.ok ? trial.value.devices : null });
	const rebooted = await of.run('systemctl', ['reboot'], REBOOT_MS);
	if (rebooted.ok) return false;
	await of.daemon.release();
	return wait(of, rebooted.error.code, rebooted.error.message);
}

function problemOfHours({ clock, timezone, hours, everyDay }: RestartDeps, state: State): string | null {
	// Without a section [update] every version comes from a person and may start at any hour.
	const window = state.window ?? hours?.window ?? '00:00-00:00';
	const days = state.any_day ? everyDay : (hours?.days ?? everyDay);
	return isInWindow(clock.wall(), { timezone, window, days })
		? null
		: `outside the hours ${window}${days.length < 7 ? ` on ${days.join(', ')}` : ''}`;
}

function wait({ state }: RestartDeps, reason: string, text: string): true {
	state.change({ state: 'waiting', reason, text });
	return true;
}
