import { useEffect, useState } from 'react';
import { siteTime } from '../lib/site-time.ts';
import { useTimezone } from '../state/timezone.ts';

const MINUTE_MS = 60_000;
/** If the computer's clock jumps, the screen shows the wrong time for at most this long, ms. */
const LONGEST_WAIT_MS = 15_000;
const minuteNow = () => Math.floor(Date.now() / MINUTE_MS);

/** The time of day at the site, HH:mm. */
export function Clock() {
	const timezone = useTimezone();
	const [minute, setMinute] = useState(minuteNow);
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout>;
		const read = () => {
			setMinute(minuteNow());
			// The timer is as long as possible, because each timer wakes an idle processor.
			timer = setTimeout(read, Math.min(MINUTE_MS - (Date.now() % MINUTE_MS), LONGEST_WAIT_MS));
		};
		read();
		return () => clearTimeout(timer);
	}, []);
	return <time>{siteTime(timezone, new Date(minute * MINUTE_MS)).time.slice(0, 5)}</time>;
}
