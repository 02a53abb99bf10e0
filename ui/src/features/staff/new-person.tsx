import { STAFF_ROLES, type StaffRole } from '@kiosk/contract/staff-names';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Keyboard } from '../../components/keyboard.tsx';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import styles from './name-picker.module.css';
import { NewCode } from './new-code.tsx';

const words = staffText.names;
const LONGEST = 40;
const SHORTEST = 2;

/** Asks for a new name. */
function NameForm({ onName, onLeave }: { onName: (name: string) => void; onLeave: () => void }) {
	const [name, setName] = useState('');
	const isLongEnough = name.trim().length >= SHORTEST;
	const save = () => isLongEnough && onName(name.trim());
	return (
		<form
			className={styles.picker}
			onSubmit={(event) => {
				event.preventDefault();
				save();
			}}
		>
			<h1 className={styles.title}>
				<label htmlFor="name">{words.field}</label>
			</h1>
			<input
				id="name"
				className={styles.input}
				inputMode="none"
				autoComplete="off"
				// biome-ignore lint/a11y/noAutofocus: the one task of this view
				autoFocus
				value={name}
				onChange={(event) => setName(event.target.value.slice(0, LONGEST))}
			/>
			<div className={styles.keyboard}>
				<Keyboard
					isWordStart={name === '' || name.endsWith(' ')}
					onType={(character) => setName((before) => (before + character).slice(0, LONGEST))}
					onBackspace={() => setName(name.slice(0, -1))}
				/>
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
				<Button kind="primary" icon="check" disabled={!isLongEnough} onClick={save}>
					{words.save}
				</Button>
			</footer>
		</form>
	);
}

type NewPersonProps = {
	needsCode: boolean;
	/** The only possible role. If null, the form asks for the role. */
	role: StaffRole | null;
	onSave: (person: { name: string; role: StaffRole; code: string | null }) => void;
	onLeave: () => void;
};

/**
 * Asks for the name of a new person and, if they are needed, for the role and the personal code.
 */
export function NewPerson({ needsCode, role: onlyRole, onSave, onLeave }: NewPersonProps) {
	const [name, setName] = useState<string | null>(null);
	const [role, setRole] = useState(onlyRole);

	function take(named: string, chosen: StaffRole | null) {
		setName(named);
		setRole(chosen);
		if (chosen !== null && !needsCode) onSave({ name: named, role: chosen, code: null });
	}

	if (name === null) return <NameForm onName={(typed) => take(typed, role)} onLeave={onLeave} />;
	if (role !== null) return <NewCode name={name} onCode={(code) => onSave({ name, role, code })} onLeave={onLeave} />;
	return (
		<div className={styles.picker}>
			<header>
				<h1 className={styles.title}>{words.roleTitle(name)}</h1>
				<p className={styles.hint}>{words.roleHint}</p>
			</header>
			<div className={styles.names}>
				{STAFF_ROLES.map((one) => (
					<Button key={one} kind="primary" onClick={() => take(name, one)}>
						{words.role[one]}
						<small className={styles.role}>{words.may[one]}</small>
					</Button>
				))}
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={() => setName(null)}>
					{text.kembali}
				</Button>
			</footer>
		</div>
	);
}
