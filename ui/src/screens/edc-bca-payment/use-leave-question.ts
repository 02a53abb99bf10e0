import { useState } from 'react';
import { useAppSelector } from '../../app/store.ts';
import { useQuietQuestion } from '../../components/use-quiet-question.ts';

/** Whether to ask before this screen is left: because its button was pressed, or because nobody seems to be there any more. */
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
