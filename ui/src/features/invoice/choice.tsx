import type { DoubtfulNote } from '@kiosk/contract/back-office';
import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import { openPaymentOf } from '@kiosk/contract/open-payment';
import { referenceOf } from '@kiosk/contract/reference';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { HintOrNoPaper } from '../../components/paper-notice.tsx';
import { useSpoken } from '../../components/use-spoken.ts';
import { type CustomerDetail, virtualAccountApplies } from '../../lib/customer-detail.ts';
import { acceptsCash } from '../../state/acceptor.ts';
import { choiceNotice } from '../../state/next-step.ts';
import { isOpen } from '../../state/non-cash.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { acceptorText, acceptorUnknown } from '../../text/acceptor.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import { useCardObstacle } from '../card/card-obstacle.ts';
import { chooseMethod } from '../transfer/non-cash-actions.ts';
import { CancelButton } from './cancel-button.tsx';
import { MethodTile } from './method-tile.tsx';
import styles from './payment-method.module.css';

const ADDRESSES = {
	cash: '/cash-payment',
	card: '/edc-bca-payment',
	terminalQris: '/edc-bca-payment?metode=qris',
	transfer: '/non-cash-payment',
} as const;
type Method = keyof typeof ADDRESSES;

/** @returns why cash is not accepted now, in a few words; null if cash is accepted */
function useCashObstacle(): string | null {
	const notes = useAppSelector((state) => state.settings?.notes ?? []);
	const acceptor = useAppSelector((state) => state.acceptor);
	if (notes.length === 0) return acceptorText.not_configured.status;
	if (acceptor.state === null) return acceptorUnknown.status;
	return acceptsCash(acceptor) ? null : acceptorText[acceptor.state].status;
}

function useCashHint(): string {
	const { method: words } = paymentText;
	const notes = useAppSelector((state) => state.settings?.notes ?? []);
	const [smallest, largest] = [notes[0], notes.at(-1)];
	// Prevents a line break between "Rp" and the digits.
	const amount = (nominal: Rupiah) => formatRupiah(nominal).replace(' ', '\u00a0');
	return smallest && largest ? words.cashHint(amount(smallest), amount(largest)) : words.cashHintNone;
}

/**
 * Decides whether QRIS or a virtual account is offered. If a payment is open, its method is
 * offered; otherwise the total decides.
 */
function useTransfer(detail: CustomerDetail) {
	const { method: words } = paymentText;
	const nonCash = useAppSelector((state) => state.nonCash);
	const open = isOpen(nonCash, detail);
	const kind = (nonCash.created ?? openPaymentOf(detail))?.kind ?? (virtualAccountApplies(detail) ? 'va' : 'qris');
	const tile =
		kind === 'va'
			? ({ icon: 'bank', name: words.va, hint: open ? words.vaAgain : words.vaHint } as const)
			: ({ icon: 'qr', name: words.qris, hint: open ? words.qrisAgain : words.qrisHint } as const);
	return { open, tile };
}

/** Shows the most important notice before the customer chooses a method. */
function Notice({ doubts, open }: { doubts: readonly DoubtfulNote[]; open: string | null }) {
	const { method: words, earlierDoubt } = paymentText;
	const notice = choiceNotice(doubts, open !== null);
	if (notice === 'paper') return <HintOrNoPaper className={styles.hint} hint={words.hint} />;
	return (
		<p className={styles.open} role="status">
			<Icon name={notice === 'doubt' ? 'warning' : 'clock'} />
			{notice === 'doubt' ? (
				<span>
					<strong>{earlierDoubt.title}</strong>{' '}
					{doubts.map(({ note_id, nominal }) => (
						<span key={note_id}>{earlierDoubt.short(formatRupiah(nominal), referenceOf(note_id))} </span>
					))}
					<span>{earlierDoubt.ask}</span>
				</span>
			) : (
				<span>
					<span>{words.open(open ?? '')}</span> <span>{words.openHint}</span>
				</span>
			)}
		</p>
	);
}

/** Offers the methods on two levels: first cash or non-cash, then the non-cash methods. */
export function Choice({ detail }: { detail: CustomerDetail }) {
	const { method: words } = paymentText;
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	const [nonCash, setNonCash] = useState(false);
	const [picked, setPicked] = useState<Method | null>(null);
	const busy = useAppSelector((state) => state.nonCash.busy);
	const cashObstacle = useCashObstacle();
	const cardObstacle = useCardObstacle();
	const hasTerminal = useAppSelector((state) => state.settings?.edc ?? false);
	const hasTerminalQris = useAppSelector((state) => (state.settings?.edc_qris_ms ?? null) !== null);
	const cashHint = useCashHint();
	const { open: openNow, tile: transfer } = useTransfer(detail);
	// Choosing another method cancels the open payment, but the notice about it stays until the next
	// screen.
	const [openBefore, setOpenBefore] = useState(false);
	const open = openNow || (picked !== null && openBefore);
	useSpoken(nonCash ? words.titleNonCash : words.title, ...(nonCash ? [words.debit, transfer.name] : [words.cash, words.nonCash]));

	const tile = (method: Method) => ({
		busy: busy && picked === method,
		onPick: async () => {
			// A second tap is ignored: before the next screen is drawn, it could open a second method.
			if (busy || picked !== null) return;
			setPicked(method);
			setOpenBefore(openNow);
			if ((await dispatch(chooseMethod(method))) === 'done') navigate(ADDRESSES[method]);
			else setPicked(null);
		},
	});
	return (
		<>
			<header>
				<h1 className={styles.title}>{nonCash ? words.titleNonCash : words.title}</h1>
				<Notice doubts={detail.kiosk_doubts ?? []} open={open ? transfer.name : null} />
			</header>
			<div key={String(nonCash)} className={styles.tiles}>
				{nonCash ? (
					<>
						<MethodTile icon="card" name={words.debit} hint={words.debitHint} obstacle={cardObstacle} {...tile('card')} />
						<MethodTile {...transfer} {...tile('transfer')} />
						{hasTerminalQris && (
							<MethodTile
								icon="qr"
								name={words.terminalQris}
								hint={words.terminalQrisHint}
								obstacle={cardObstacle}
								{...tile('terminalQris')}
							/>
						)}
					</>
				) : (
					<>
						<MethodTile icon="note" name={words.cash} hint={cashHint} obstacle={cashObstacle} {...tile('cash')} />
						<MethodTile
							icon="card"
							name={words.nonCash}
							hint={hasTerminal ? [words.debit, transfer.name] : transfer.name}
							onPick={() => setNonCash(true)}
						/>
					</>
				)}
			</div>
			<Actions>
				<Button icon="back" onClick={() => (nonCash && !busy ? setNonCash(false) : navigate('/'))}>
					{text.kembali}
				</Button>
				{open && <CancelButton name={transfer.name} />}
			</Actions>
		</>
	);
}
