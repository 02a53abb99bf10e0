import { useEffect, useEffectEvent, useState } from 'react';

/**
 * @param ms how long from now; a new value starts again, null stops
 * @param onEnd what happens then, once
 * @returns whole seconds left to show, null when nothing is counted
 */
export function useCountdown(ms: number | null, onEnd: () => void): number | null {
	const [left, setLeft] = useState<number | null>(null);
	const end = useEffectEvent(onEnd);
	useEffect(() => {
		if (ms === null) {
			setLeft(null);
			return;
		}
		const endsAt = performance.now() + ms;
		const show = () => setLeft(Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000)));
		show();
		const tick = setInterval(show, 250);
		const timer = setTimeout(() => end(), ms);
		return () => {
			clearInterval(tick);
			clearTimeout(timer);
		};
	}, [ms]);
	return left;
}
