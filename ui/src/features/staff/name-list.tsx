import type { StaffNameRequest, StaffNames, StaffPerson } from '@kiosk/contract/staff-names';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useAppDispatch } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { AskingButton } from './asking-button.tsx';
import styles from './name-picker.module.css';
import { NewCode } from './new-code.tsx';
import { NewPerson } from './new-person.tsx';
import { PersonPicker } from './person-picker.tsx';
import { callForStaff } from './staff-actions.ts';

const words = staffText.names;

type View =
	| { show: 'list' }
	| { show: 'add' }
	| { show: 'person' | 'code'; person: StaffPerson }
	/** A change that still needs a supervisor's approval. */
	| { show: 'approval'; wish: StaffNameRequest };

/**
 * Lists the names of the outlet's staff. Staff add names, retire names and change codes. If the
 * daemon asks for an approval, a supervisor approves the change; if the settings require codes,
 * with the supervisor's personal code.
 */
export function NameList({ onLeave }: { onLeave: () => void }) {
	const [names, setNames] = useState<StaffNames | null>(null);
	const [view, setView] = useState<View>({ show: 'list' });
	const dispatch = useAppDispatch();
	const toList = () => setView({ show: 'list' });

	useEffect(() => {
		const here = new AbortController();
		void dispatch(callForStaff((api) => api.staffNames(here.signal), here.signal)).then((found) => {
			if (found && !here.signal.aborted) setNames(found);
		});
		return () => here.abort();
	}, [dispatch]);

	async function change(wish: StaffNameRequest) {
		// Returns to the list before the answer arrives, so that a second touch cannot send the change
		// again.
		toList();
		const changed = await dispatch(callForStaff((api) => api.changeStaffNames(wish)));
		if (changed) setNames(changed);
	}

	if (names === null) return <div aria-busy />;
	const ask = (wish: StaffNameRequest) => (names.needs_supervisor ? setView({ show: 'approval', wish }) : void change(wish));
	if (view.show === 'approval')
		return (
			<PersonPicker
				title={words.approve}
				hint={words.approveHint}
				only="supervisor"
				onPick={({ name }) => void change({ ...view.wish, by: name })}
				onLeave={toList}
			/>
		);
	if (view.show === 'add')
		return (
			<NewPerson
				needsCode={names.needs_codes}
				role={names.needs_supervisor ? null : 'supervisor'}
				onSave={(person) => ask({ action: 'add', by: null, ...person })}
				onLeave={toList}
			/>
		);
	if (view.show === 'code') {
		const { name } = view.person;
		return <NewCode name={name} onCode={(code) => ask({ action: 'set_code', name, by: null, code })} onLeave={toList} />;
	}
	if (view.show === 'person') {
		const { person } = view;
		return (
			<div className={styles.picker}>
				<header>
					<h1 className={styles.title}>{person.name}</h1>
					<p className={styles.hint}>{words.role[person.role]}</p>
				</header>
				<div className={styles.names}>
					{names.needs_codes && (
						<Button icon="staff" onClick={() => setView({ show: 'code', person })}>
							{words.setCode}
						</Button>
					)}
					<AskingButton
						icon="cross"
						words={{ button: words.retire, title: words.retireTitle(person.name), go: words.retireGo, stay: words.stay }}
						onConfirm={() => ask({ action: 'retire', name: person.name, by: null })}
					>
						<p>{words.retireBody}</p>
					</AskingButton>
				</div>
				<footer className={styles.foot}>
					<Button icon="back" onClick={toList}>
						{text.kembali}
					</Button>
				</footer>
			</div>
		);
	}
	return (
		<div className={styles.picker}>
			<header>
				<h1 className={styles.title}>{words.title}</h1>
				<p className={styles.hint}>{names.lost ? words.lost[names.lost] : names.people.length === 0 ? words.first : words.titleHint}</p>
			</header>
			<div className={styles.names}>
				{names.people.map((person) => (
					<Button key={person.name} onClick={() => setView({ show: 'person', person })}>
						{person.name}
						<small className={styles.role}>{words.role[person.role]}</small>
					</Button>
				))}
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
				<Button icon="staff" kind="primary" disabled={names.lost === 'names'} onClick={() => setView({ show: 'add' })}>
					{words.add}
				</Button>
			</footer>
		</div>
	);
}
