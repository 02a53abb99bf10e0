import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Keyboard } from '../../components/keyboard.tsx';
import { filtered } from '../../state/list.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import styles from './search-box.module.css';

/** The list is loaded after this pause in typing, so that not every letter loads it. */
const SEARCH_AFTER_MS = 300;

/**
 * Maximum length of the entry, because a stuck key would type without end. Names and numbers are
 * shorter.
 */
const MAX_LENGTH = 64;

/**
 * Holds the typed text and, after a pause in typing, makes it the search text of the list state.
 */
export function useSearch(): [typed: string, type: (text: string) => void] {
	const [typed, setTyped] = useState('');
	const search = useAppSelector((state) => state.list.search);
	const wanted = typed.trim();
	const dispatch = useAppDispatch();
	useEffect(() => {
		if (wanted === search) return;
		const timer = setTimeout(() => dispatch(filtered({ search: wanted })), SEARCH_AFTER_MS);
		return () => clearTimeout(timer);
	}, [wanted, search, dispatch]);
	return [typed, (text) => setTyped(text.slice(0, MAX_LENGTH))];
}

type SearchBoxProps = {
	typed: string;
	onType: (text: string) => void;
	/** Whether the on-screen keyboard is open. */
	typing: boolean;
	onTyping: (typing: boolean) => void;
};

/** The search field, with one button to clear it and one to open the keyboard. */
export function SearchBox({ typed, onType, typing, onTyping }: SearchBoxProps) {
	const field = useRef<HTMLInputElement>(null);
	return (
		<div className={styles.search}>
			<div className={styles.field}>
				<Icon name="search" />
				<input
					ref={field}
					className={styles.input}
					aria-label={staffText.list.search}
					placeholder={staffText.list.searchHint}
					inputMode="none"
					autoComplete="off"
					spellCheck={false}
					value={typed}
					onClick={() => onTyping(true)}
					onChange={(event) => onType(event.target.value)}
				/>
				<button
					type="button"
					className={styles.clear}
					aria-label={staffText.list.clear}
					disabled={typed === ''}
					onClick={() => {
						onType('');
						field.current?.focus();
					}}
				>
					<Icon name="cross" />
				</button>
			</div>
			<button
				type="button"
				className={styles.toggle}
				aria-pressed={typing}
				onClick={() => {
					onTyping(!typing);
					field.current?.focus();
				}}
			>
				<Icon name="keyboard" />
				{staffText.keyboard.label}
			</button>
		</div>
	);
}

/** The on-screen keyboard of the search box. */
export function SearchKeyboard({ typed, onType }: Pick<SearchBoxProps, 'typed' | 'onType'>) {
	return (
		<div className={styles.keyboard}>
			<Keyboard onType={(character) => onType(typed + character)} onBackspace={() => onType(typed.slice(0, -1))} />
		</div>
	);
}
