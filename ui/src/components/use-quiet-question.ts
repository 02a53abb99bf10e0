import { useEffect, useState } from 'react';

type Quiet = {
	/** Whether the question may open. A change to false also closes it. */
	enabled: boolean;
	/** ms without a touch or a key before the question opens. */
	after: number;
	/** A change of this value, for example by a note, counts as a touch and closes the question. */
	since?: unknown;
};

/** @returns whether the question is open, and a function for the answer "still here" */
export function useQuietQuestion({ enabled, after, since = null }: Quiet): [asking: boolean, stay: () => void] {
	const [asked, setAsked] = useState<{ since: unknown } | null>(null);
	const asking = enabled && asked !== null && asked.since === since;
	// Resets a question that a note has closed, so that the note's outcome does not reopen it.
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
