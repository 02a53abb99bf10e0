/** Whether the firmware starts only what the owner's key has signed. Information for a technician: the kiosk works either way. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineFacts } from './machine.ts';
import type { PartNow } from './report.ts';

const EFIVARS = '/sys/firmware/efi/efivars';
/** The namespace of the UEFI specification's own variables. */
const GLOBAL = '8be4df61-93ca-11d2-aa0d-00e098032b8c';
/** The build puts it into the version of an image whose key it made itself. */
const TEST_KEYS = '~testkeys';

/** `setup`: the firmware has no keys yet and starts anything. */
export type SecureBoot = 'on' | 'off' | 'setup';

/** @returns null where there is no UEFI, or it does not say */
export function readSecureBoot(firmware = EFIVARS): SecureBoot | null {
	const value = (name: string): number => readFileSync(join(firmware, `${name}-${GLOBAL}`)).at(-1) ?? 0;
	try {
		if (value('SecureBoot') === 1) return 'on';
		return value('SetupMode') === 1 ? 'setup' : 'off';
	} catch {
		return null;
	}
}

export function secureBoot({ secure_boot, system }: Pick<MachineFacts, 'secure_boot' | 'system'>): PartNow[] {
	if (secure_boot === null) return [];
	const part = 'secure boot';
	const text = TEXT[secure_boot];
	const remedy = 'docs/technician/secure-boot.md says how the keys are enrolled.';
	if (system.includes(TEST_KEYS))
		return [
			{
				part,
				state: 'warn',
				code: 'test_keys',
				text: `${text}; this image is signed by a throw-away key`,
				why: 'the build made the key itself, so anyone with access to the build machine has it',
				remedy: 'For trials only. Ship an image that was built with KIOSK_KEYS.',
			},
		];
	return [
		{ part, state: secure_boot === 'on' ? 'ok' : 'off', code: secure_boot, text, why: '', remedy: secure_boot === 'on' ? '' : remedy },
	];
}

const TEXT: Record<SecureBoot, string> = {
	on: 'on: the firmware starts only what this image’s key has signed',
	off: 'off: the firmware starts anything',
	setup: 'in setup mode: the firmware has no keys yet and starts anything',
};
