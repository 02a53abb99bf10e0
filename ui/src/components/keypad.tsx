import { text } from '../text/screens.ts';
import { Icon } from './icon.tsx';
import styles from './keypad.module.css';

type KeypadProps = {
	onDigit: (digit: string) => void;
	onBackspace: () => void;
	onConfirm: () => void;
	confirm?: string;
	confirmDisabled: boolean;
};

/** Ten digits in telephone order, backspace and confirm; every key at least 20 mm. */
export function Keypad({ onDigit, onBackspace, onConfirm, confirm = text.home.confirm, confirmDisabled }: KeypadProps) {
	const digit = (key: string) => (
		<button key={key} type="button" className={styles.key} onClick={() => onDigit(key)}>
			{key}
		</button>
	);
	return (
		// Touching a key does not move the focus out of the field, so that an attached keyboard stays
		// usable.
		<fieldset className={styles.keypad} data-quick onPointerDown={(event) => event.preventDefault()}>
			<legend className="silent">{text.home.keypad}</legend>
			{['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit)}
			<button type="button" className={`${styles.key} ${styles.back}`} aria-label={text.home.backspace} onClick={onBackspace}>
				<Icon name="backspace" />
			</button>
			{digit('0')}
			<button type="button" className={`${styles.key} ${styles.confirm}`} onClick={onConfirm} disabled={confirmDisabled}>
				{confirm}
			</button>
		</fieldset>
	);
}
