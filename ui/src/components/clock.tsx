import { useEffect, useState } from 'react';
import { siteTime } from '../lib/site-time.ts';
import { useTimezone } from '../state/timezone.ts';

/** The time of day at the site, HH:mm. */
export function Clock() {
	const timezone = useTimezone();
	const [now, setNow] = useState(() => new Date());
	useEffect(() => {
		const timer = setInterval(() => setNow(new Date()), 1_000);
		return () => clearInterval(timer);
	}, []);
	return <time>{siteTime(timezone, now).time.slice(0, 5)}</time>;
}
