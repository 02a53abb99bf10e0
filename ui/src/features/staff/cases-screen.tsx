import { formatRupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { needsSupervisor, needsTwoNames, StaffCase, type StaffCases } from '@kiosk/contract/staff-cases';
import type { StaffPerson } from '@kiosk/contract/staff-names';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { writtenTanggal } from '../../lib/site-time.ts';
import { useAppDispatch } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { amountOf, CaseDecision, type ChosenDecision } from './case-decision.tsx';
import styles from './cases-screen.module.css';
import { NamePicker } from './name-picker.tsx';
import { callForStaff } from './staff-actions.ts';

const words = staffText.open;

/** @returns the message after a decision was recorded; it tells staff what to do next */
function doneText(one: StaffCase, { decision }: ChosenDecision): string {
	if (decision === 'print') return words.doneSlip;
	return decision === 'given' && one.amount ? words.doneGiven(formatRupiah(one.amount)) : words.done;
}

type CaseListProps = {
	cases: readonly StaffCase[];
	/** Message about the last decision; '' before the first. */
	done: string;
	onChoose: (one: StaffCase) => void;
	onLeave: () => void;
};

function CaseList({ cases, done, onChoose, onLeave }: CaseListProps) {
	return (
		<div className={styles.screen}>
			<header>
				<h1 className={styles.title}>{words.title}</h1>
				<p className={styles.detail}>{words.hint}</p>
				{done !== '' && (
					<p className={styles.done} role="status">
						<Icon name="check" />
						{done}
					</p>
				)}
			</header>
			<ul className={styles.cases}>
				{cases.length === 0 && <li className={styles.none}>{words.none}</li>}
				{cases.map((one) => {
					const when = one.time === '' ? '' : ` · ${writtenTanggal(one.time)}`;
					return (
						<li key={`${one.kind} ${one.id}`}>
							<button type="button" className={styles.case} onClick={() => onChoose(one)}>
								<span>
									<b>{words.kind[one.kind]}</b>
									<span className={styles.detail}>
										{one.kind !== 'lock' && (one.noinvoice || words.noInvoice)}
										{when}
										{(one.kind === 'note' || one.kind === 'sale') && ` · ${words.reference(referenceOf(one.id))}`}
									</span>
								</span>
								<b>{amountOf(one)}</b>
								<Icon name="next" />
							</button>
						</li>
					);
				})}
			</ul>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
			</footer>
		</div>
	);
}

/** What staff have chosen so far. */
type Choice = { one: StaffCase; chosen: ChosenDecision | null; by: StaffPerson | null };

/** @returns the case that staff opened from the check of a printout, or null */
function choiceIn(state: unknown): Choice | null {
	const found = v.safeParse(StaffCase, state);
	return found.success ? { one: found.output, chosen: null, by: null } : null;
}

/** Lists the open cases. Staff choose a case, a decision and their names. */
export default function CasesScreen() {
	const [found, setFound] = useState<StaffCases | null>(null);
	const [choice, setChoice] = useState(choiceIn(useLocation().state));
	const [done, setDone] = useState('');
	const [isDeciding, setDeciding] = useState(false);
	const dispatch = useAppDispatch();
	const navigate = useNavigate();

	useEffect(() => {
		const here = new AbortController();
		void dispatch(callForStaff((api) => api.staffCases(here.signal), here.signal)).then((cases) => {
			if (cases && !here.signal.aborted) setFound(cases);
		});
		return () => here.abort();
	}, [dispatch]);

	async function decide({ one, chosen }: Choice, by: string, second: string | null) {
		setChoice(null);
		setDone('');
		if (chosen === null) return;
		const wish = { kind: one.kind, id: one.id, amount: one.amount, ...chosen, by, second };
		// The daemon may ask the back office first. Until the daemon answers, staff must not choose
		// the case again.
		setDeciding(true);
		const decided = await dispatch(callForStaff((api) => api.decideCase(wish)));
		if (decided) setDone(doneText(one, chosen));
		const left = decided ?? (await dispatch(callForStaff((api) => api.staffCases())));
		if (left) setFound(left);
		setDeciding(false);
	}

	if (found === null) return <div aria-busy />;
	if (isDeciding) return <Waiting />;
	if (choice === null)
		return (
			<CaseList
				cases={found.cases}
				done={done}
				onChoose={(one) => setChoice({ one, chosen: null, by: null })}
				onLeave={() => navigate('/staf')}
			/>
		);
	if (choice.chosen === null)
		return (
			<CaseDecision
				one={choice.one}
				nominals={found.nominals}
				onDecide={(chosen) => setChoice({ ...choice, chosen })}
				onLeave={() => setChoice(null)}
			/>
		);
	const { one, by } = choice;
	const mayDecide = ({ role }: StaffPerson): boolean => role === 'supervisor' || !needsSupervisor(one.kind);
	if (by !== null) {
		const isApproval = !mayDecide(by);
		return (
			<NamePicker
				key="second"
				title={isApproval ? words.supervisor : words.second}
				hint={isApproval ? words.supervisorHint : words.secondHint}
				except={by.name}
				only={isApproval ? 'supervisor' : null}
				onPick={({ name }) => void decide(choice, by.name, name)}
				onLeave={() => setChoice({ ...choice, by: null })}
			/>
		);
	}
	const needsTwo = needsTwoNames(one.kind, one.amount ?? choice.chosen.nominal ?? 0, found.two_names_above);
	return (
		<NamePicker
			key="first"
			title={words.who}
			onPick={(person) => (needsTwo || !mayDecide(person) ? setChoice({ ...choice, by: person }) : void decide(choice, person.name, null))}
			onLeave={() => setChoice({ ...choice, chosen: null })}
		/>
	);
}
