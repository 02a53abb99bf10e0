import { formatRupiah, type Rupiah, remaining, rupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { useEffect, useRef, useState } from 'react';
import { shallowEqual } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { AlertBar } from '../../components/alert-bar.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import type { IconName } from '../../components/icon.tsx';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { Pill } from '../../components/pill.tsx';
import { useSpoken } from '../../components/use-spoken.ts';
import { Waiting } from '../../components/waiting.tsx';
import type { CustomerDetail } from '../../lib/customer-detail.ts';
import { receivedOf } from '../../state/cash.ts';
import { heldByCard } from '../../state/edc.ts';
import { modalClosed, modalOpened } from '../../state/modal.ts';
import { isCovered, mayHoldNote, mayLeaveMoney, type NextStep, nextStepOf } from '../../state/next-step.ts';
import { paymentOnScreen } from '../../state/paid.ts';
import { mayPromisePaper } from '../../state/printer.ts';
import { refreshInvoice } from '../../state/refresh-invoice.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import { PaidView } from '../receipt/paid-panel.tsx';
import { AbandonedQuestion } from './abandoned-question.tsx';
import { enterCash, leaveCash, openMachine, openMachineAgain } from './cash-actions.ts';
import styles from './cash-payment.module.css';
import { CashQuestion } from './cash-question.tsx';
import { CashSummary } from './cash-summary.tsx';
import { CashTable } from './cash-table.tsx';
import { TaskArea } from './task-area.tsx';

const LEAVE = 'leave_cash';

const SIGN: Record<NextStep['statusTone'], IconName> = { good: 'check', wait: 'clock', stop: 'stop' };

/**
 * Opens the acceptor again after a reconnect. The daemon may have restarted; a restart closes the
 * acceptor and may leave a note in doubt.
 */
function useReopening() {
	const dispatch = useAppDispatch();
	const opened = useAppSelector((state) => state.connection.opened);
	const opening = useAppSelector((state) => state.cash.opening);
	const asked = useAppSelector((state) => state.cash.id !== null);
	const openedAtLastAsk = useRef(opened);
	useEffect(() => {
		if (!asked || opening || openedAtLastAsk.current === opened) return;
		openedAtLastAsk.current = opened;
		void dispatch(openMachineAgain());
	}, [asked, opening, opened, dispatch]);
}

/**
 * Looks up the invoice if the acceptor takes notes although enough was received: in that case the
 * daemon knows that the invoice has grown, but the screen does not know it yet.
 */
function useGrown(detail: CustomerDetail) {
	const dispatch = useAppDispatch();
	const grown = useAppSelector(({ acceptor, cash }) => acceptor.is_ready && cash.moving === null && isCovered(cash, detail.total));
	useEffect(() => {
		if (grown) void dispatch(refreshInvoice());
	}, [grown, dispatch]);
}

/**
 * Lets the customer leave. Asks for a confirmation first if money was received, is in doubt or may
 * be inside. `closed` means that the cash session has already ended.
 */
function useLeaving(detail: CustomerDetail) {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const received = useAppSelector((state) => receivedOf(state.cash));
	const involved = useAppSelector(mayLeaveMoney);
	const asking = useAppSelector((state) => state.modal.show && state.modal.tipe === LEAVE);
	const [closed, setClosed] = useState(false);

	const ask = () => dispatch(modalOpened({ tipe: LEAVE, title: paymentText.cash.leave.title }));
	const leave = async (told: Rupiah) => {
		dispatch(modalClosed());
		const outcome = await dispatch(leaveCash(detail.id, told));
		if (outcome === 'left') navigate('/');
		if (outcome === 'more') {
			setClosed(true);
			ask();
		}
	};
	const stay = () => {
		dispatch(modalClosed());
		if (closed) void dispatch(openMachine({ reload: false }));
		setClosed(false);
	};
	return { asking, received, involved, ask: () => (involved ? ask() : leave(rupiah(0))), leave, stay };
}

/**
 * @returns what the kiosk's voice says on the cash screen
 * @param left rupiah still to pay; null before the first note
 */
function spokenOf({ task, title, body }: NextStep, left: Rupiah | null): (string | number)[] {
	if (task === 'process') return [title];
	return task === 'insert' && left !== null ? [title, paymentText.cash.under, left] : [title, body];
}

function Paying({ detail }: { detail: CustomerDetail }) {
	const dispatch = useAppDispatch();
	const cash = useAppSelector((state) => state.cash);
	const step = useAppSelector(nextStepOf, shallowEqual);
	const prints = useAppSelector(mayPromisePaper);
	const leaving = useLeaving(detail);
	useReopening();
	useGrown(detail);
	const mayHold = useAppSelector(mayHoldNote);
	const { received, involved } = leaving;
	useSpoken(...spokenOf(step, received > 0 ? remaining(detail.total, received) : null));
	const invoice = detail.noinvoice ?? '';
	const settled = cash.moving === null && !cash.closing;
	const staffCalled = step.tone === 'stop';
	const whereTheMoneyIs = `${received > 0 ? paymentText.cash.safe : ''} ${invoice && text.reference(invoice)}`.trim();

	return (
		<div className={styles.cash}>
			<div className={styles.top} role="status">
				<Pill tone={step.statusTone} icon={SIGN[step.statusTone]} large>
					{step.status}
				</Pill>
			</div>
			<TaskArea step={step} invoice={invoice} />
			<CashSummary total={detail.total} received={received} />
			<CashTable entries={cash.entries} moving={cash.moving} stopped={step.tone === 'stop'} />
			<div className={styles.alert}>
				<AlertBar hint={staffCalled ? '' : whereTheMoneyIs} />
			</div>
			<Actions>
				<Button icon="back" onClick={leaving.ask} disabled={cash.moving !== null} busy={cash.closing}>
					{cash.closing ? text.waiting : text.kembali}
				</Button>
				<Button
					icon="reload"
					onClick={() => dispatch(openMachine({ reload: true }))}
					disabled={cash.moving !== null || cash.closing}
					busy={cash.opening}
				>
					{cash.opening ? text.waiting : paymentText.cash.reload}
				</Button>
			</Actions>
			{leaving.asking && (
				<Dialog
					title={paymentText.cash.leave.title}
					onDismiss={leaving.stay}
					actions={
						<>
							<Button onClick={() => leaving.leave(received)}>{paymentText.cash.leave.go}</Button>
							<Button kind="primary" onClick={leaving.stay}>
								{cash.doubts.length > 0 || mayHold ? paymentText.cash.leave.stayInDoubt : paymentText.cash.leave.stay}
							</Button>
						</>
					}
				>
					{received > 0 && <p>{paymentText.cash.leave.body(formatRupiah(received), invoice)}</p>}
					{cash.doubts.map((note) => (
						<p key={note.note_id}>{text.note.inDoubt(formatRupiah(note.nominal), referenceOf(note.note_id))}</p>
					))}
					{mayHold && cash.doubts.length === 0 && <p>{paymentText.cash.leave.mayHold}</p>}
					{received > 0 && prints && <p>{paymentText.cash.leave.slip}</p>}
				</Dialog>
			)}
			<CashQuestion onLeave={() => leaving.leave(rupiah(0))} />
			<IdleQuestion enabled={!involved && settled} onLeave={() => leaving.leave(rupiah(0))} />
			<AbandonedQuestion
				enabled={involved && settled}
				lastNote={cash.returned ?? cash.entries.length}
				invoice={invoice}
				received={received}
				doubts={cash.doubts}
				onLeave={() => leaving.leave(received)}
			/>
		</div>
	);
}

/**
 * Leads to the card screen if a card sale holds the invoice: the terminal may have charged a card
 * that it had declined, and the daemon takes no more notes. An invoice that its notes cover stays.
 */
function useHeldByCard() {
	const navigate = useNavigate();
	const held = useAppSelector(
		({ edc, cash, invoice: { detail } }) =>
			detail !== null && heldByCard(edc, detail.id) && cash.moving === null && !isCovered(cash, detail.total),
	);
	useEffect(() => {
		if (held) navigate('/edc-bca-payment', { replace: true });
	}, [held, navigate]);
}

/** Takes notes for one invoice, or shows that the invoice is paid. */
export default function CashScreen() {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const detail = useAppSelector((state) => state.invoice.detail);
	const payment = useAppSelector(paymentOnScreen);
	useHeldByCard();

	useEffect(() => {
		let left = false;
		void dispatch(enterCash()).then((found) => {
			if (!found && !left) navigate('/', { replace: true });
		});
		return () => {
			left = true;
		};
	}, [dispatch, navigate]);

	if (detail === null) return <Waiting onBack={() => navigate('/')} />;
	return payment === null ? <Paying detail={detail} /> : <PaidView detail={detail} how={payment.how} />;
}
