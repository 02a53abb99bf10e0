import { LiveMessage, type LiveText } from '@kiosk/contract/live';
import * as v from 'valibot';

/** @returns the message, or null if it is unknown or invalid */
export function parseLive(data: unknown): LiveText | null {
	if (typeof data !== 'string') return null;
	try {
		const parsed = v.safeParse(LiveMessage, JSON.parse(data));
		return parsed.success ? parsed.output.text : null;
	} catch {
		return null;
	}
}
