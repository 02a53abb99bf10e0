import { useState } from 'react';
import { useQuietQuestion } from '../../components/use-quiet-question.ts';
import { useAppSelector } from '../../state/store.ts';

/**
 * Asks for confirmation before the customer leaves. The question also opens after a long time
 * without a touch.
 */
export function useLeaveQuestion(): { asking: boolean; ask: () => void; stay: () => void } {
	const after = useAppSelector((state) => state.settings?.abandoned_ms ?? 0);
	const [asked, setAsked] = useState(false);
	const [quiet, stillHere] = useQuietQuestion({ enabled: !asked, after });
	return {
		asking: asked || quiet,
		ask: () => setAsked(true),
		stay: () => {
			setAsked(false);
			stillHere();
		},
	};
}
