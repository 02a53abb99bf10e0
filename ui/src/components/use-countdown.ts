import { useEffect, useEffectEvent, useState } from 'react';

/**
 * @param ms length of the countdown; a new value restarts it, null stops it
 * @param onEnd called once, when the countdown reaches its end
 * @returns whole seconds left; null while stopped
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
