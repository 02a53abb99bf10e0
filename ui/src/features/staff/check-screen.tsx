import { SlipVerdict } from '@kiosk/contract/slip-check';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useAppDispatch } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { CheckResult } from './check-result.tsx';
import styles from './check-screen.module.css';
import { isComplete, shownCode, withoutLast } from './code-entry.ts';
import { callForStaff } from './staff-actions.ts';

const words = staffText.check;
/** The characters of a code: Crockford's base 32, which leaves out I, L, O and U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

type CodeFormProps = {
	shown: string;
	busy: boolean;
	/** Whether the last code had a wrong or missing character. */
	mistyped: boolean;
	onChange: (shown: string) => void;
	onCheck: () => void;
};

/** The field with its keys. A scanner acts as a keyboard and types into the same field. */
function CodeForm({ shown, busy, mistyped, onChange, onCheck }: CodeFormProps) {
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (isComplete(shown) && !busy) onCheck();
	};
	return (
		<form className={styles.form} onSubmit={submit}>
			<header>
				<h1 className={styles.title}>
					<label htmlFor="code">{words.title}</label>
				</h1>
				<p className={styles.hint}>{words.hint}</p>
			</header>
			<div>
				<input
					id="code"
					className={styles.input}
					inputMode="none"
					autoComplete="off"
					spellCheck={false}
					// biome-ignore lint/a11y/noAutofocus: the one task of this screen
					autoFocus
					value={shown}
					aria-invalid={mistyped}
					aria-describedby="code-note"
					onChange={(event) => onChange(shownCode(event.target.value))}
				/>
				<p id="code-note" className={styles.note} role="status">
					{mistyped && words.mistyped}
				</p>
			</div>
			<fieldset className={styles.keys} data-quick onPointerDown={(event) => event.preventDefault()}>
				<legend className="silent">{words.keys}</legend>
				{[...LETTERS].map((letter) => (
					<button key={letter} type="button" className={styles.key} onClick={() => onChange(shownCode(shown + letter))}>
						{letter}
					</button>
				))}
				<button
					type="button"
					className={styles.back}
					aria-label={staffText.keyboard.backspace}
					onClick={() => onChange(withoutLast(shown))}
				>
					<Icon name="backspace" />
				</button>
				<button type="submit" className={styles.go} disabled={!isComplete(shown) || busy}>
					{words.go}
				</button>
			</fieldset>
		</form>
	);
}

/** Staff type or scan the code of a receipt or slip and see whether it is genuine. */
export default function CheckScreen() {
	const [shown, setShown] = useState('');
	const [busy, setBusy] = useState(false);
	const [found, setFound] = useState<SlipVerdict | null>(null);
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const isMistyped = found?.verdict === 'mistyped';

	async function check() {
		setBusy(true);
		const verdict = await dispatch(callForStaff((api) => api.checkSlip(shown, SlipVerdict)));
		setBusy(false);
		setFound(verdict);
	}
	function change(next: string) {
		setShown(next);
		setFound(null);
	}

	if (found && !isMistyped)
		return (
			<CheckResult
				found={found}
				onCase={(open) => navigate('/staf/kasus', { state: open })}
				onAgain={() => change('')}
				onLeave={() => navigate('/staf')}
			/>
		);
	return (
		<div className={styles.screen}>
			<CodeForm shown={shown} busy={busy} mistyped={isMistyped} onChange={change} onCheck={() => void check()} />
			<footer className={styles.foot}>
				<Button icon="back" onClick={() => navigate('/staf')}>
					{text.kembali}
				</Button>
			</footer>
		</div>
	);
}
