import { useEffect, useState } from 'react';

/**
 * @param running starts from 0 each time it becomes true
 * @returns whole seconds since then; 0 while it is false
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
