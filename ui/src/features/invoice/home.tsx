import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Icon } from '../../components/icon.tsx';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { Keypad } from '../../components/keypad.tsx';
import { LanguageChoice } from '../../components/language-choice.tsx';
import { HintOrNoPaper } from '../../components/paper-notice.tsx';
import { useQuietQuestion } from '../../components/use-quiet-question.ts';
import { useSpoken } from '../../components/use-spoken.ts';
import { keepDraft, readDraft, writeHp } from '../../lib/visit-storage.ts';
import { choiceMade } from '../../state/aids.ts';
import { endVisit } from '../../state/session-end.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import styles from './home.module.css';
import { canonical, destination, entered, grouped, isPlausible } from './phone-number.ts';
import { warmVisitScreens } from './visit-screens.ts';

/** If the attract screen cannot be loaded, the home screen stays. */
const Attract = lazy(() => import('../attract/attract.tsx').catch(() => ({ default: () => null })));

/** Handles the keys of an attached keyboard even if the field has no focus. */
function useKeyboardAnywhere(on: { character: (character: string) => void; backspace: () => void; confirm: () => void }) {
	const handle = useEffectEvent((event: KeyboardEvent) => {
		// While a question is open, keys do not change the screen behind it.
		if (document.querySelector('dialog[open]:not([data-attract])') !== null) return;
		if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
		if (event.key === 'Backspace') on.backspace();
		// If a button has the focus, Enter presses the button instead of confirming the number.
		else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) on.confirm();
		else if (/^[0-9A-Za-z/.+-]$/.test(event.key)) on.character(event.key);
	});
	useEffect(() => {
		const listener = (event: KeyboardEvent) => handle(event);
		window.addEventListener('keydown', listener);
		return () => window.removeEventListener('keydown', listener);
	}, []);
}

/** Asks for the phone number. Clears the data of the previous customer. */
export function HomeScreen() {
	const [value, setValue] = useState(readDraft);
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const field = useRef<HTMLInputElement>(null);
	const confirmed = useRef(false);
	const chosen = useAppSelector(choiceMade);
	useSpoken(text.home.title, text.home.hint);

	useLayoutEffect(() => {
		dispatch(endVisit());
		keepDraft('');
	}, [dispatch]);

	const typing = value !== '';
	const idleMs = useAppSelector((state) => state.settings?.idle_ms ?? 0);
	const [attracting, endAttract] = useQuietQuestion({ enabled: !typing && !chosen, after: idleMs });
	useEffect(() => {
		if (typing) warmVisitScreens();
	}, [typing]);

	const type = (character: string) => setValue((before) => entered(before + character));
	const backspace = () => setValue((before) => before.slice(0, -1));
	const clear = () => {
		setValue('');
		field.current?.focus();
	};
	const confirm = () => {
		if (!isPlausible(value) || confirmed.current) return;
		confirmed.current = true;
		const number = canonical(value);
		writeHp(number);
		navigate(destination(number));
	};
	useKeyboardAnywhere({ character: type, backspace, confirm });

	return (
		<form
			className={styles.home}
			onSubmit={(event) => {
				event.preventDefault();
				confirm();
			}}
		>
			<header>
				<h1 className={styles.title}>
					<label htmlFor="hp">{text.home.title}</label>
				</h1>
				<HintOrNoPaper className={styles.hint} hint={text.home.hint} />
			</header>
			<div className={styles.field}>
				<input
					ref={field}
					id="hp"
					className={styles.input}
					inputMode="none"
					autoComplete="off"
					spellCheck={false}
					// biome-ignore lint/a11y/noAutofocus: a keyboard or scanner works at once
					autoFocus
					value={grouped(value)}
					onChange={(event) => setValue(entered(event.target.value))}
				/>
				<button type="button" className={styles.clear} aria-label={text.home.clear} onClick={clear} disabled={!typing}>
					<Icon name="cross" />
				</button>
			</div>
			<Keypad onDigit={type} onBackspace={backspace} onConfirm={confirm} confirmDisabled={!isPlausible(value)} />
			<LanguageChoice />
			{attracting && (
				<Suspense>
					<Attract onEnd={endAttract} />
				</Suspense>
			)}
			<IdleQuestion enabled={typing || chosen} onLeave={() => setValue('')} />
		</form>
	);
}
