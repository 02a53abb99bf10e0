import { useEffect, useState } from 'react';

const written = (date: Date): string => date.toTimeString().slice(0, 5);

/** The time of day, HH:mm. */
export function Clock() {
	const [time, setTime] = useState(() => written(new Date()));
	useEffect(() => {
		const timer = setInterval(() => setTime(written(new Date())), 1_000);
		return () => clearInterval(timer);
	}, []);
	return <time>{time}</time>;
}
