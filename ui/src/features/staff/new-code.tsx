import { useState } from 'react';
import { alertClosed, alertShown } from '../../state/alert.ts';
import { useAppDispatch } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import { CodeForm } from './code-form.tsx';

const words = staffText.names;

/** Asks for a new personal code, and for the same code again. */
export function NewCode({ name, onCode, onLeave }: { name: string; onCode: (code: string) => void; onLeave: () => void }) {
	const [first, setFirst] = useState<string | null>(null);
	const dispatch = useAppDispatch();
	function take(code: string) {
		dispatch(alertClosed());
		if (first === null) return setFirst(code);
		if (first === code) return onCode(code);
		setFirst(null);
		dispatch(alertShown({ text: words.different }));
	}
	return <CodeForm title={words.newCode(name)} hint={first === null ? words.codeHint : words.again} onCode={take} onLeave={onLeave} />;
}
