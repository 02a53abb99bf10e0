import { STAFF_CODE_DIGITS } from '@kiosk/contract/staff-names';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Keypad } from '../../components/keypad.tsx';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import styles from './code-form.module.css';

type CodeFormProps = {
	title: string;
	hint: string;
	/** Whether to show the digits. Set it only for a code that is not secret. */
	open?: boolean;
	onCode: (code: string) => void;
	onLeave: () => void;
	/** Additional buttons. */
	children?: ReactNode;
};

/**
 * A field and a keypad for a code of six digits. The typed code is cleared when it is submitted.
 */
export function CodeForm({ title, hint, open = false, onCode, onLeave, children }: CodeFormProps) {
	const [code, setCode] = useState('');
	const isWhole = code.length === STAFF_CODE_DIGITS;
	function confirm() {
		setCode('');
		onCode(code);
	}
	return (
		<div className={styles.form}>
			<header>
				<h1 className={styles.title}>{title}</h1>
				<p className={styles.hint}>{hint}</p>
			</header>
			<p className={styles.code} role="status" aria-label={staffText.names.typed(code.length)}>
				{(open ? code : '●'.repeat(code.length)) + '○'.repeat(STAFF_CODE_DIGITS - code.length)}
			</p>
			<Keypad
				onDigit={(digit) => setCode((code + digit).slice(0, STAFF_CODE_DIGITS))}
				onBackspace={() => setCode(code.slice(0, -1))}
				onConfirm={confirm}
				confirmDisabled={!isWhole}
			/>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
				{children}
			</footer>
		</div>
	);
}
