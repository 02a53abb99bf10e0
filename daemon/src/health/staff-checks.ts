import type { StaffCall } from '@kiosk/contract/staff-call';
import type { StaffNames } from '@kiosk/contract/staff-names';
import type { PartNow } from './report.ts';

const HOUR_MS = 3_600_000;

/**
 * @param open the customer's open call, or null
 * @returns the part about the call; none if no call is open
 */
export function customerCall(open: StaffCall | null): PartNow[] {
	if (open === null) return [];
	const where = open.screen === '/' ? 'on the home screen' : `on ${open.screen}`;
	return [
		{
			part: 'customer',
			state: 'warn',
			code: 'called',
			text: `a customer has been calling staff since ${open.since}`,
			why: open.invoice === '' ? where : `${where}, invoice ${open.invoice}`,
			remedy:
				'Go to the kiosk. The staff screen behind the PIN or kioskctl staff answer ends the call; otherwise it ends after 15 minutes.',
		},
	];
}

/**
 * @param lost which kind of staff data the kiosk has lost; null if none
 * @returns the part about the lost data; none if nothing is lost
 */
export function staffNames(lost: StaffNames['lost']): PartNow[] {
	if (lost === null) return [];
	const clear = 'kioskctl staff clear --by NAME; then the supervisor adds the names again at once.';
	if (lost === 'names')
		return [
			{
				part: 'staff',
				state: 'fail',
				code: 'names_lost',
				text: 'the staff names cannot be read',
				why: 'staff-names.json of an earlier version is damaged',
				remedy: `Staff cannot act on the staff screen. Remove the list: ${clear}`,
			},
		];
	return [
		{
			part: 'staff',
			state: 'warn',
			code: 'codes_lost',
			text: 'personal codes of staff are lost',
			why: 'staff-codes.json is missing or damaged; a factory reset removes it',
			remedy: `A supervisor who still has a code gives new codes under “Kelola nama”. If no supervisor has a code: ${clear}`,
		},
	];
}

/**
 * @param quietMs time since the last touch of the panel; null while the panel does not draw
 * @param limitHours `[screen] touch_quiet_hours`; 0 disables the check
 */
export function touch(quietMs: number | null, limitHours: number): PartNow[] {
	if (quietMs === null || limitHours === 0 || quietMs < limitHours * HOUR_MS) return [];
	return [
		{
			part: 'touch',
			state: 'warn',
			code: 'quiet',
			text: `no touch for ${Math.floor(quietMs / HOUR_MS)} h although the panel draws`,
			why: 'the touch sensor may be dead, or no customer came',
			remedy: 'Touch the screen. If the warning remains, check the USB cable of the touch panel: kioskctl devices.',
		},
	];
}
