import { useEffect, useState } from 'react';

/**
 * @param running whether to count; a change to true restarts the count from 0
 * @returns whole seconds since the restart; 0 while `running` is false
 */
export function useElapsed(running: boolean): number {
	const [seconds, setSeconds] = useState(0);
	useEffect(() => {
		setSeconds(0);
		if (!running) return;
		const since = performance.now();
		const tick = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1_000)), 250);
		return () => clearInterval(tick);
	}, [running]);
	return seconds;
}
