import { useEffect, useState } from 'react';

type Quiet = {
	/** Whether there is anything to ask about. What takes that away takes the question away too. */
	enabled: boolean;
	/** ms without a touch or a key before it is asked. */
	after: number;
	/** Anything new here counts as a touch, and answers the question: a note for one. */
	since?: unknown;
};

/** @returns whether to ask now, and the answer "still here", which leaves everything as it was */
export function useQuietQuestion({ enabled, after, since = null }: Quiet): [asking: boolean, stay: () => void] {
	const [asked, setAsked] = useState<{ since: unknown } | null>(null);
	const asking = enabled && asked !== null && asked.since === since;
	// Money wins: a question that it has answered does not come back when the money has found its place.
	if (asked !== null && !asking) setAsked(null);

	useEffect(() => {
		if (!enabled || asking) return;
		let timer: ReturnType<typeof setTimeout>;
		const restart = () => {
			clearTimeout(timer);
			timer = setTimeout(() => setAsked({ since }), after);
		};
		restart();
		window.addEventListener('pointerdown', restart);
		window.addEventListener('keydown', restart);
		return () => {
			clearTimeout(timer);
			window.removeEventListener('pointerdown', restart);
			window.removeEventListener('keydown', restart);
		};
	}, [enabled, asking, after, since]);

	return [asking, () => setAsked(null)];
}
