import { useState } from 'react';
import { staffText } from '../text/staff.ts';
import { Icon } from './icon.tsx';
import styles from './keyboard.module.css';

/** In `auto`, letters are upper case at the start of a word of a name, otherwise lower case. */
type Layer = 'auto' | 'lower' | 'upper' | 'symbols';

const DIGITS = '1234567890';
const LETTERS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const SYMBOLS = ['!@#$%^&*()', '-_=+[]{}|', ';:\'",?/'];

type KeyboardProps = {
	/** Whether the next letter begins a word of a name and should be upper case. */
	isWordStart?: boolean;
	onType: (character: string) => void;
	onBackspace: () => void;
};

/** A keyboard for staff, so that the operating system's keyboard is not needed. */
export function Keyboard({ isWordStart = false, onType, onBackspace }: KeyboardProps) {
	const [layer, setLayer] = useState<Layer>('auto');
	const isUpper = layer === 'upper' || (layer === 'auto' && isWordStart);
	const rows = layer === 'symbols' ? SYMBOLS : LETTERS;

	const type = (character: string) => {
		onType(character);
		// As on a phone, shift applies to one letter only.
		if (layer !== 'symbols') setLayer('auto');
	};
	const key = (character: string) => {
		const shown = isUpper ? character.toUpperCase() : character;
		return (
			<button key={character} type="button" className={styles.key} onClick={() => type(shown)}>
				{shown}
			</button>
		);
	};

	return (
		<fieldset className={styles.keyboard} data-quick onPointerDown={(event) => event.preventDefault()}>
			<legend className="silent">{staffText.keyboard.label}</legend>
			<div className={styles.row}>{[...DIGITS].map(key)}</div>
			<div className={styles.row}>{[...(rows[0] ?? '')].map(key)}</div>
			<div className={styles.row}>{[...(rows[1] ?? '')].map(key)}</div>
			<div className={styles.row}>
				<button
					type="button"
					className={`${styles.key} ${styles.wide}`}
					aria-label={staffText.keyboard.shift}
					aria-pressed={isUpper}
					disabled={layer === 'symbols'}
					onClick={() => setLayer(isUpper ? 'lower' : 'upper')}
				>
					<Icon name="shift" />
				</button>
				{[...(rows[2] ?? '')].map(key)}
				<button type="button" className={`${styles.key} ${styles.wide}`} aria-label={staffText.keyboard.backspace} onClick={onBackspace}>
					<Icon name="backspace" />
				</button>
			</div>
			<div className={styles.row}>
				<button type="button" className={`${styles.key} ${styles.wide}`} onClick={() => setLayer(layer === 'symbols' ? 'auto' : 'symbols')}>
					{layer === 'symbols' ? staffText.keyboard.letters : staffText.keyboard.symbols}
				</button>
				<button type="button" className={`${styles.key} ${styles.space}`} onClick={() => type(' ')}>
					{staffText.keyboard.space}
				</button>
				{(layer === 'symbols' ? ['~', '.'] : ['@', '.']).map(key)}
			</div>
		</fieldset>
	);
}
