import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import { DECISIONS, type StaffCase, type StaffDecision } from '@kiosk/contract/staff-cases';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { AskingButton } from './asking-button.tsx';
import styles from './cases-screen.module.css';
import { CodeForm } from './code-form.tsx';
import { SlotPicture } from './slot-picture.tsx';

const words = staffText.open;

/** @returns whether the invoice was paid twice and the kiosk holds no money to give back */
const isElsewhere = ({ kind, amount }: StaffCase): boolean => kind === 'twice' && amount === 0;

/** @returns the amount that the case is about, or words if it has no amount */
export function amountOf(one: StaffCase): string {
	if (one.kind === 'lock') return words.notMoney;
	if (one.amount === null) return words.unread;
	return isElsewhere(one) ? words.notHere : formatRupiah(one.amount);
}

/** A decision, still without the case and the names of staff. */
export type ChosenDecision = Pick<StaffDecision, 'decision' | 'nominal' | 'approval'>;

type CaseDecisionProps = {
	one: StaffCase;
	/** The denominations that the acceptor may take, rupiah. */
	nominals: readonly Rupiah[];
	onDecide: (chosen: ChosenDecision) => void;
	onLeave: () => void;
};

/** Shows one case: what staff must check, and the possible decisions. */
export function CaseDecision({ one, nominals, onDecide, onLeave }: CaseDecisionProps) {
	const [nominal, setNominal] = useState<Rupiah | null>(null);
	const [asksApproval, askApproval] = useState(false);
	const isUnread = one.kind === 'note' && one.amount === null;
	const label = (decision: StaffDecision['decision']): string =>
		isElsewhere(one) && decision === 'given' ? words.settledElsewhere : words.decision[decision];
	if (asksApproval)
		return (
			<CodeForm
				title={words.approval}
				hint={words.approvalHint}
				open
				onCode={(approval) => onDecide({ decision: 'charged', nominal: null, approval })}
				onLeave={() => askApproval(false)}
			>
				<Button onClick={() => onDecide({ decision: 'charged', nominal: null })}>{words.noApproval}</Button>
			</CodeForm>
		);
	return (
		<div className={styles.screen}>
			<header>
				<h1 className={styles.title}>{words.kind[one.kind]}</h1>
				<p className={styles.detail}>
					{one.kind !== 'lock' && `${one.noinvoice || words.noInvoice} · `}
					{isElsewhere(one) ? words.notHereHint : amountOf(one)}
				</p>
				{one.heard !== '' && (
					<p className={styles.heard}>
						{words.heard} {one.heard}
					</p>
				)}
			</header>
			<div className={styles.body}>
				<div className={styles.look}>
					<ol className={styles.steps}>
						{words.steps[isElsewhere(one) ? 'twice_elsewhere' : one.kind].map((step) => (
							<li key={step}>{step}</li>
						))}
					</ol>
					{one.kind === 'note' && <SlotPicture />}
				</div>
				{isUnread && (
					<fieldset className={styles.nominals}>
						<legend>{words.which}</legend>
						{nominals.map((value) => (
							<Button key={value} kind={value === nominal ? 'primary' : 'secondary'} onClick={() => setNominal(value)}>
								{formatRupiah(value)}
							</Button>
						))}
					</fieldset>
				)}
				<div className={styles.decisions}>
					{(DECISIONS[one.kind] as readonly StaffDecision['decision'][])
						.filter((decision) => decision !== 'in_box' || !isUnread || nominal !== null)
						.map((decision) => (
							<AskingButton
								key={decision}
								icon="check"
								words={{
									button: label(decision),
									title: words.sure(label(decision)),
									go: words.go,
									stay: words.stay,
								}}
								onConfirm={() =>
									decision === 'charged' ? askApproval(true) : onDecide({ decision, nominal: decision === 'in_box' ? nominal : null })
								}
							>
								<p>{words.sureBody}</p>
							</AskingButton>
						))}
				</div>
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onLeave}>
					{text.kembali}
				</Button>
			</footer>
		</div>
	);
}
