import type { Rupiah } from '@kiosk/contract/money';
import type { VaPayment } from '@kiosk/contract/open-payment';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { useSpoken } from '../../components/use-spoken.ts';
import { siteTime, tanggalOf } from '../../lib/site-time.ts';
import { momentOf } from '../../lib/written-time.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { useTimezone } from '../../state/timezone.ts';
import { nonCashText } from '../../text/non-cash.ts';
import { text } from '../../text/screens.ts';
import { bankName, vaGuide } from '../../text/va-guides.ts';
import { BankLogo } from './bank-logo.tsx';
import { LeaveButtons } from './leave-buttons.tsx';
import { loadBanks } from './non-cash-actions.ts';
import { RenewButton } from './renew-button.tsx';
import { Trouble } from './trouble.tsx';
import { useExpiry, useTimeLeft } from './use-time-left.ts';
import { VaNumber } from './va-number.tsx';
import { VaPrint } from './va-print.tsx';
import { VaSteps } from './va-steps.tsx';
import styles from './va-view.module.css';
import { WaitingLine } from './waiting-line.tsx';

/**
 * A countdown is shown in this last time before the expiry, ms. Earlier, the date of the expiry is
 * enough.
 */
const COUNTED_MS = 3_600_000;

/** @returns the expiry as DD-MM-YYYY HH:mm in the site's time; an invalid date unchanged */
function useWrittenExpiry(expiry: string): string {
	const timezone = useTimezone();
	const moment = momentOf(timezone, expiry);
	return moment === null ? expiry : tanggalOf(siteTime(timezone, new Date(moment)));
}

/** @returns the address of a bank's logo; '' while the list of banks is not loaded */
function useBankLogo(bank: string): string {
	const dispatch = useAppDispatch();
	const logo = useAppSelector((state) => state.brand.banks[bank]);
	const unknown = logo === undefined;
	useEffect(() => {
		// After a reload, the list of banks, which names the logos, must be loaded again.
		if (unknown) void dispatch(loadBanks());
	}, [unknown, dispatch]);
	return logo ?? '';
}

function Card({ va, total, expired }: { va: VaPayment; total: Rupiah; expired: boolean }) {
	const { va: words } = nonCashText;
	const expiry = useWrittenExpiry(va.expiry);
	const logo = useBankLogo(va.bank);
	return (
		<dl className={styles.card} data-expired={expired}>
			<div>
				<dt>{words.total}</dt>
				<dd>
					<Amount value={total} />
				</dd>
			</div>
			<div>
				<dt>{words.before}</dt>
				<dd>{expiry || '–'}</dd>
			</div>
			<div>
				<dt>{words.bank}</dt>
				<dd className={styles.bank}>
					{logo !== '' && <BankLogo address={logo} />}
					{bankName(va.bank) || '–'}
				</dd>
			</div>
			{va.bank === 'mandiri' && va.company_code !== '' && (
				<div>
					<dt>{words.company}</dt>
					<dd>{va.company_code}</dd>
				</div>
			)}
			<div className={styles.number}>
				<dt>{words.number}</dt>
				<dd>
					<VaNumber number={va.no_va} />
				</dd>
			</div>
		</dl>
	);
}

/** Shows the account number, its expiry, and the steps to pay. */
export function VaView({ va, total }: { va: VaPayment; total: Rupiah }) {
	const { va: words } = nonCashText;
	const navigate = useNavigate();
	const timeLeft = useTimeLeft(va.expiry);
	const expired = timeLeft === 0;
	useExpiry(expired);
	useSpoken(...(expired ? [words.expired, words.expiredHint] : [...text.transferGuide.va.slice(1, 3), total]));
	return (
		<div className={styles.va}>
			<h1>{words.title}</h1>
			<Card va={va} total={total} expired={expired} />
			{expired ? (
				<Trouble icon="clock" title={words.expired} hint={words.expiredHint}>
					<RenewButton primary>{words.renew}</RenewButton>
				</Trouble>
			) : (
				<>
					<VaSteps key={va.bank} guide={vaGuide(va.bank)} />
					<div className={styles.foot}>
						<WaitingLine timeLeft={timeLeft !== null && timeLeft < COUNTED_MS ? timeLeft : null} />
						<VaPrint />
					</div>
				</>
			)}
			<LeaveButtons
				last={
					<Button kind={expired ? 'secondary' : 'primary'} icon="check" onClick={() => navigate('/')}>
						{nonCashText.va.leave}
					</Button>
				}
			/>
		</div>
	);
}
