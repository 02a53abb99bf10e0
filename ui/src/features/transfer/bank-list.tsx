import type { Id, VaBank } from '@kiosk/contract/back-office';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { isFirstTap } from '../../components/taps.ts';
import { useSpoken } from '../../components/use-spoken.ts';
import { CHOOSE_AGAIN } from '../../lib/choose-again.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { nonCashText } from '../../text/non-cash.ts';
import { text } from '../../text/screens.ts';
import styles from './bank-list.module.css';
import { BankLogo } from './bank-logo.tsx';
import { chooseBank, loadBanks } from './non-cash-actions.ts';
import { Trouble } from './trouble.tsx';

function Banks({ banks }: { banks: readonly VaBank[] }) {
	const dispatch = useAppDispatch();
	const busy = useAppSelector((state) => state.nonCash.busy);
	const [picked, setPicked] = useState<Id | null>(null);
	const pick = (bank: VaBank) => {
		if (busy) return;
		setPicked(bank.id);
		void dispatch(chooseBank(bank));
	};
	return (
		<ul className={styles.banks} data-many={banks.length > 4}>
			{banks.map((bank) => (
				<li key={bank.id}>
					<button
						type="button"
						className={styles.bank}
						aria-busy={busy && picked === bank.id}
						onClick={(event) => isFirstTap(event) && pick(bank)}
					>
						<BankLogo address={bank.logo} />
						<span className={styles.name}>{bank.nama}</span>
						{busy && picked === bank.id ? <Spinner /> : <Icon name="next" className={styles.next} />}
					</button>
				</li>
			))}
		</ul>
	);
}

/** Lists the banks that currently offer virtual accounts. */
export function BankList() {
	const dispatch = useAppDispatch();
	const { banks: words } = nonCashText;
	const navigate = useNavigate();
	const [asked, setAsked] = useState(1);
	const [banks, setBanks] = useState<readonly VaBank[] | 'loading' | 'failed'>('loading');

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new number asks again
	useEffect(() => {
		let left = false;
		setBanks('loading');
		void dispatch(loadBanks()).then((found) => {
			if (!left) setBanks(found ?? 'failed');
		});
		return () => {
			left = true;
		};
	}, [asked, dispatch]);

	useSpoken(words.title, banks === 'failed' ? words.failedHint : null, banks.length === 0 ? words.noneHint : null);
	const again = (
		<Button kind="primary" icon="reload" onClick={() => setAsked(asked + 1)}>
			{nonCashText.again}
		</Button>
	);
	return (
		<div className={styles.list}>
			<h1>{words.title}</h1>
			{banks === 'loading' ? (
				<Trouble title={words.loading} />
			) : banks === 'failed' ? (
				<Trouble icon="warning" title={words.failed} hint={words.failedHint}>
					{again}
				</Trouble>
			) : banks.length === 0 ? (
				<Trouble icon="bank" title={words.none} hint={words.noneHint}>
					{again}
				</Trouble>
			) : (
				<Banks banks={banks} />
			)}
			<Actions>
				<Button icon="back" onClick={() => navigate('/payment-method', { state: CHOOSE_AGAIN })}>
					{text.kembali}
				</Button>
			</Actions>
		</div>
	);
}
