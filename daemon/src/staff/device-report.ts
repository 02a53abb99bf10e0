import type { StaffCase } from '@kiosk/contract/staff-cases';
import { customerText } from '../base/customer-text.ts';

const words = customerText.heard;

/**
 * Patterns of the journal's reasons for a note in doubt. The first match decides. Older versions of
 * the daemon wrote "after a restart" about a note that was stacked late.
 */
const NOTE: readonly (readonly [RegExp, string])[] = [
	// The journal appends this evidence to another reason. The evidence is more useful to staff, so
	// its pattern comes first.
	[/later said "stacked"|after a restart/, words.stackedLater],
	[/did not say/, words.silent],
	[/came back, but perhaps/, words.otherCameBack],
	[/kiosk stopped|power/, words.kioskStopped],
	[/line went away|line was|cable/, words.lineLost],
	[/fault/, words.fault],
];

/**
 * Describes the device's report about a note in doubt or an unknown card sale.
 * @param why the journal's reason, in English
 * @returns a sentence for staff
 */
export function describeDeviceReport(kind: Extract<StaffCase['kind'], 'note' | 'sale'>, why: string): string {
	if (kind === 'note') return NOTE.find(([pattern]) => pattern.test(why))?.[1] ?? words.noteUnknown;
	if (/instead of/.test(why)) return words.otherAmount;
	if (/answered void 00/.test(why)) return words.terminalVoided;
	const [, code] = /answered ([0-9A-Z]{2})\b/.exec(why) ?? [];
	if (code !== undefined) return words.terminalAnswered(code);
	return /no answer|did not answer|silen/.test(why) ? words.terminalSilent : words.saleUnknown;
}
