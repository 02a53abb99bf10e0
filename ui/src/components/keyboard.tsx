import { useState } from 'react';
import { staffText } from '../text/staff.ts';
import { Icon } from './icon.tsx';
import styles from './keyboard.module.css';

type Layer = 'lower' | 'upper' | 'symbols';

const DIGITS = '1234567890';
const LETTERS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const SYMBOLS = ['!@#$%^&*()', '-_=+[]{}|', ';:\'",?/'];

type KeyboardProps = { onType: (character: string) => void; onBackspace: () => void };

/** A keyboard for staff, so that the operating system's is never needed. */
export function Keyboard({ onType, onBackspace }: KeyboardProps) {
	const [layer, setLayer] = useState<Layer>('lower');
	const rows = layer === 'symbols' ? SYMBOLS : LETTERS;

	const type = (character: string) => {
		onType(character);
		// As on a phone, shift holds for one letter.
		if (layer === 'upper') setLayer('lower');
	};
	const key = (character: string) => {
		const shown = layer === 'upper' ? character.toUpperCase() : character;
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
					aria-pressed={layer === 'upper'}
					disabled={layer === 'symbols'}
					onClick={() => setLayer(layer === 'upper' ? 'lower' : 'upper')}
				>
					<Icon name="shift" />
				</button>
				{[...(rows[2] ?? '')].map(key)}
				<button type="button" className={`${styles.key} ${styles.wide}`} aria-label={staffText.keyboard.backspace} onClick={onBackspace}>
					<Icon name="backspace" />
				</button>
			</div>
			<div className={styles.row}>
				<button
					type="button"
					className={`${styles.key} ${styles.wide}`}
					onClick={() => setLayer(layer === 'symbols' ? 'lower' : 'symbols')}
				>
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
