/** The hours in which a kiosk may restart into a new version, in the site's time zone. */
import { localTimeIn } from '../base/site-time.ts';
import { DAYS, type Day } from '../settings/update-settings.ts';

export interface Window {
	timezone: string;
	/** "02:00-05:00". A window may include midnight; equal ends mean the whole day. */
	window: string;
	/** Days on which the window begins. */
	days: readonly Day[];
}

export function isInWindow(now: Date, { timezone, window, days }: Window): boolean {
	const { day, minute } = localTime(now, timezone);
	const [from = 0, to = 0] = window.split('-').map(minutesOf);
	const isOn = (index: number): boolean => days.includes(DAYS[(index + DAYS.length) % DAYS.length] as Day);
	if (from < to) return isOn(day) && minute >= from && minute < to;
	return (isOn(day) && minute >= from) || (isOn(day - 1) && minute < to);
}

function minutesOf(text: string): number {
	const [hours, minutes] = text.split(':').map(Number);
	return (hours ?? 0) * 60 + (minutes ?? 0);
}

/** @returns day as an index of DAYS, and minutes since midnight */
function localTime(now: Date, timeZone: string): { day: number; minute: number } {
	const local = new Date(localTimeIn(timeZone)(now));
	const day = (local.getUTCDay() + DAYS.length - 1) % DAYS.length;
	return { day, minute: local.getUTCHours() * 60 + local.getUTCMinutes() };
}
