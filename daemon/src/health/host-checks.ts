import { isOtherServer } from '../setup/settings-seal.ts';
import type { HostFacts } from './host.ts';
import type { HealthDeps, PartNow } from './report.ts';

/** Health warns from this temperature, at which PCs begin to throttle the CPU. */
const HOT_CELSIUS = 85;
const WORN_PERCENT = 80;
/** Health warns if the free space is below this multiple of the space that the journal needs. */
const PLENTY = 4;

export function disk(of: HealthDeps, { disk }: HostFacts): PartNow {
	const part = 'disk';
	if (!disk) return { part, state: 'unknown', code: 'unread', text: 'the journal’s disk cannot be read', why: '', remedy: '' };
	const text = `${disk.free_mb} MB of ${disk.size_mb} MB free for the journal`;
	if (disk.errors !== null && disk.errors > 0)
		return {
			part,
			state: 'warn',
			code: 'errors',
			text,
			why: `the file system has counted ${disk.errors} error(s)`,
			remedy: 'Replace the disk soon and keep the journal: docs/technician/panduan-teknisi.md, "Disk penuh atau rusak".',
		};
	if (disk.free_mb < of.journalNeedsMb * PLENTY)
		return {
			part,
			state: 'warn',
			code: 'little',
			text,
			why: `below ${of.journalNeedsMb} MB no money is taken`,
			remedy: `Free disk space in ${disk.directory}; du -x shows where the space is used.`,
		};
	return { part, state: 'ok', code: 'ok', text, why: '', remedy: '' };
}

export function wear({ disk }: HostFacts): PartNow {
	const part = 'disk wear';
	const worn = disk?.worn_percent ?? null;
	if (worn === null) {
		const text = 'unknown: only root can read it from this disk, with smartctl -a';
		return { part, state: 'unknown', code: 'unknown', text, why: '', remedy: '' };
	}
	const text = `about ${worn} % of its lifetime used`;
	if (worn < WORN_PERCENT) return { part, state: 'ok', code: 'ok', text, why: '', remedy: '' };
	return { part, state: 'warn', code: 'worn', text, why: '', remedy: 'Plan to replace the disk; a worn disk can lose the newest data.' };
}

export function temperature({ hottest }: HostFacts): PartNow {
	const part = 'temperature';
	if (!hottest) return { part, state: 'unknown', code: 'unknown', text: 'no sensor can be read', why: '', remedy: '' };
	const text = `${hottest.celsius} °C (${hottest.sensor})`;
	if (hottest.celsius < HOT_CELSIUS) return { part, state: 'ok', code: 'ok', text, why: '', remedy: '' };
	return {
		part,
		state: 'warn',
		code: 'hot',
		text,
		why: '',
		remedy: 'Clean the fan and the air slots of the cabinet; keep it out of the sun.',
	};
}

/** Why nothing is sent to a changed back office, and the command that confirms the change. */
export const HELD = {
	why: 'the server in the settings has changed, or the record of the accepted settings is not genuine, so nothing is sent until a technician confirms the server',
	remedy: 'Compare [back_office] with the owner’s order, then: kioskctl setup confirm --by NAME. Nothing is lost.',
};

/** @param names changed settings that are not confirmed yet and keep cash closed */
export function settings(names: readonly string[]): PartNow[] {
	if (names.length === 0) return [];
	return [
		{
			part: 'settings',
			state: 'fail',
			code: 'unconfirmed',
			text: `changed since they were accepted: ${names.join(', ')}`,
			why: `they decide where money goes, so cash stays closed${isOtherServer(names) ? ' and nothing is sent to the back office' : ''} until a person confirms them`,
			remedy:
				'Compare them with the owner’s order, then: kioskctl setup confirm --by NAME. If no technician changed them, an unauthorised person may have had access to the disk.',
		},
	];
}

export function setup(problems: readonly string[]): PartNow[] {
	const [first, ...more] = problems;
	if (first === undefined) return [];
	return [
		{
			part: 'setup',
			state: 'warn',
			code: 'refused',
			text: 'the setup partition has errors; the last valid settings stay active',
			why: `${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`,
			remedy: 'Correct this line of the file on the partition kiosk-setup, then restart the kiosk.',
		},
	];
}
