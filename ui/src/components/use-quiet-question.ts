import { useEffect, useState } from 'react';

type Quiet = {
	/** Whether to ask at all; disabling it also closes the question. */
	enabled: boolean;
	/** ms without a touch or a key before it asks. */
	after: number;
	/** A change of this value counts as a touch and answers the question: a note, for example. */
	since?: unknown;
};

/** @returns whether to ask now, and the answer "still here", which changes nothing */
export function useQuietQuestion({ enabled, after, since = null }: Quiet): [asking: boolean, stay: () => void] {
	const [asked, setAsked] = useState<{ since: unknown } | null>(null);
	const asking = enabled && asked !== null && asked.since === since;
	// Forgets a question that a new note has answered: it must not reopen once the note is counted.
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
