import { useEffect, useState } from 'react';

type Quiet = {
	/** Whether the question may open. A change to false also closes it. */
	enabled: boolean;
	/** After this time without a touch or a key press the question opens, ms. */
	after: number;
	/**
	 * A change of this value counts as a touch and closes the question. A note, for example, changes
	 * it.
	 */
	since?: unknown;
};

/** @returns whether the question is open, and a function for the answer "still here" */
export function useQuietQuestion({ enabled, after, since = null }: Quiet): [asking: boolean, stay: () => void] {
	const [asked, setAsked] = useState<{ since: unknown } | null>(null);
	const asking = enabled && asked !== null && asked.since === since;
	// If a note has closed the question, forgets that it was asked. Otherwise the question would
	// reopen when the note's outcome changes the value back.
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
