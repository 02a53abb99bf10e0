import { useEffect, useState } from 'react';
import { siteTime } from '../lib/site-time.ts';
import { useTimezone } from '../state/timezone.ts';

const MINUTE_MS = 60_000;
const minuteNow = () => Math.floor(Date.now() / MINUTE_MS);

/** The time of day at the site, HH:mm. The time is read every second and drawn once a minute. */
export function Clock() {
	const timezone = useTimezone();
	const [minute, setMinute] = useState(minuteNow);
	useEffect(() => {
		const timer = setInterval(() => setMinute(minuteNow()), 1_000);
		return () => clearInterval(timer);
	}, []);
	return <time>{siteTime(timezone, new Date(minute * MINUTE_MS)).time.slice(0, 5)}</time>;
}
