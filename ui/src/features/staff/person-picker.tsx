import type { StaffNames, StaffPerson, StaffRole } from '@kiosk/contract/staff-names';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { alertClosed } from '../../state/alert.ts';
import { useAppDispatch } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { CodeForm } from './code-form.tsx';
import styles from './name-picker.module.css';
import { callForStaff } from './staff-actions.ts';

const words = staffText.names;

export type PersonPickerProps = {
	title: string;
	hint?: string | undefined;
	/** If two people must act, the first one, who cannot be chosen again. */
	except?: string | null | undefined;
	/** Only people of this role can be chosen. */
	only?: StaffRole | null | undefined;
	onPick: (person: StaffPerson) => void;
	onLeave: () => void;
	/** Additional buttons. */
	children?: ReactNode;
};

/** Asks for a member of staff and, if the settings require codes, for the personal code. */
export function PersonPicker({ title, hint = words.hint, except = null, only = null, onPick, onLeave, children }: PersonPickerProps) {
	const [names, setNames] = useState<StaffNames | null>(null);
	const [proving, setProving] = useState<StaffPerson | null>(null);
	const dispatch = useAppDispatch();

	useEffect(() => {
		const here = new AbortController();
		void dispatch(callForStaff((api) => api.staffNames(here.signal), here.signal)).then((found) => {
			if (found && !here.signal.aborted) setNames(found);
		});
		return () => here.abort();
	}, [dispatch]);

	if (names === null) return <div aria-busy />;
	const { people, needs_codes, lost } = names;

	async function prove(person: StaffPerson, code: string) {
		const proven = await dispatch(callForStaff((api) => api.proveStaffName({ name: person.name, code })));
		if (proven === null) return;
		dispatch(alertClosed());
		setProving(null);
		onPick(person);
	}

	if (proving)
		return (
			<CodeForm
				title={words.code(proving.name)}
				hint={words.codeHint}
				onCode={(code) => void prove(proving, code)}
				onLeave={() => setProving(null)}
			/>
		);
	return (
		<div className={styles.picker}>
			<header>
				<h1 className={styles.title}>{title}</h1>
				<p className={styles.hint}>{lost ? words.lost[lost] : people.length === 0 ? words.none : hint}</p>
			</header>
			<div className={styles.names}>
				{people.map((person) => {
					const isWithoutCode = needs_codes && person.code !== 'set';
					return (
						<Button
							key={person.name}
							kind="primary"
							disabled={person.name === except || isWithoutCode || (only !== null && person.role !== only)}
							onClick={() => (needs_codes ? setProving(person) : onPick(person))}
						>
							{person.name}
							<small className={styles.role}>
								{needs_codes && person.code !== 'set' ? words.noCode[person.code] : words.role[person.role]}
							</small>
						</Button>
					);
				})}
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
				{children}
			</footer>
		</div>
	);
}
