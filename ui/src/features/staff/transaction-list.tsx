import { sameId } from '@kiosk/contract/same-id';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConnectionPill } from '../../components/connection-pill.tsx';
import { Icon } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useAppSelector } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { Pager } from './pager.tsx';
import { SearchBox, SearchKeyboard, useSearch } from './search-box.tsx';
import { SettingsButton } from './settings-button.tsx';
import { TransactionDetail } from './transaction-detail.tsx';
import styles from './transaction-list.module.css';
import { DETAIL, TransactionTable } from './transaction-table.tsx';
import { useTransactions } from './use-transactions.ts';

function Failed({ onAgain }: { onAgain: () => void }) {
	return (
		<div className={styles.message} data-tone="stop">
			<Icon name="warning" />
			<h2>{staffText.list.failed}</h2>
			<p>{staffText.list.failedHint}</p>
			<Button kind="primary" icon="reload" onClick={onAgain}>
				{staffText.list.again}
			</Button>
		</div>
	);
}

function Empty() {
	const search = useAppSelector((state) => state.list.search);
	return (
		<div className={styles.message}>
			<Icon name="receipt" />
			<p role="status">{search === '' ? staffText.list.none : staffText.list.noneFound(search)}</p>
		</div>
	);
}

/** @returns the row that the modal shows, or null */
const useOpenRow = () =>
	useAppSelector(({ modal, list }) =>
		modal.show && modal.tipe === DETAIL ? (list.obj.find(({ id }) => sameId(id, modal.id)) ?? null) : null,
	);

/** Lists the outlet's transactions page by page. A modal shows the details of one transaction. */
export function TransactionList({ onLeave, onHome }: { onLeave: () => void; onHome: () => void }) {
	const { state, before, again } = useTransactions();
	const [typed, type] = useSearch();
	const [typing, setTyping] = useState(false);
	const empty = useAppSelector(({ list }) => list.obj.length === 0);
	const open = useOpenRow();
	const loading = state === 'loading';
	return (
		<div className={styles.list}>
			<header className={styles.head}>
				<h1>{staffText.list.title}</h1>
				<SearchBox typed={typed} onType={type} typing={typing} onTyping={setTyping} />
			</header>
			<div className={styles.place} aria-busy={loading}>
				{/* While other rows are being loaded, the old ones cannot be touched. */}
				<div className={styles.rows} inert={loading}>
					{state === 'failed' ? <Failed onAgain={again} /> : <TransactionTable before={before} />}
					{state === 'shown' && empty && <Empty />}
				</div>
				{loading && (
					<p className={styles.loading} role="status">
						<Spinner />
						{staffText.list.loading}
					</p>
				)}
			</div>
			{typing && <SearchKeyboard typed={typed} onType={type} />}
			<footer className={styles.foot}>
				<div className={styles.leave}>
					<Button icon="back" onClick={onLeave}>
						{text.kembali}
					</Button>
					<Button icon="staff" onClick={onHome}>
						{staffText.home.title}
					</Button>
					<SettingsButton />
				</div>
				<Pager />
				<ConnectionPill />
			</footer>
			{open !== null && <TransactionDetail key={String(open.id)} transaction={open} />}
		</div>
	);
}
