import { formatRupiah } from '@kiosk/contract/money';
import type { CaseCounts, StaffHome, Today as TodayFigures } from '@kiosk/contract/staff-home';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { ConnectionPill } from '../../components/connection-pill.tsx';
import { Fact } from '../../components/fact.tsx';
import { Icon } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { siteTime } from '../../lib/site-time.ts';
import { useTimezone } from '../../state/timezone.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { LogOutButton } from './log-out-button.tsx';
import { SampleButton } from './sample-button.tsx';
import { SettingsButton } from './settings-button.tsx';
import styles from './staff-home.module.css';
import { useStaffHome } from './use-staff-home.ts';

const words = staffText.home;

function Card({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
	return (
		<section className={styles.card}>
			<h2>
				{title}
				{count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
			</h2>
			{children}
		</section>
	);
}

function Today({ today: { paid, notes, card, qris }, onCount }: { today: TodayFigures; onCount: () => void }) {
	const sales = ({ count, total }: TodayFigures['card']) => words.sales(count, formatRupiah(total));
	return (
		<Card title={words.today}>
			<dl>
				<Fact name={words.paid} value={String(paid)} />
				<Fact name={words.notes} value={words.noteCount(notes)} />
				<Fact name={words.card} value={sales(card)} />
				<Fact name={words.qris} value={sales(qris)} />
			</dl>
			<Button icon="note" onClick={onCount}>
				{staffText.box.button}
			</Button>
		</Card>
	);
}

function Cases({ cases, onOpen }: { cases: CaseCounts; onOpen: () => void }) {
	const open = Object.entries(cases) as [keyof typeof staffText.open.kind, number][];
	const total = open.reduce((sum, [, count]) => sum + count, 0);
	return (
		<Card title={words.cases} count={total}>
			{total === 0 ? (
				<p className={styles.none}>{words.noCases}</p>
			) : (
				<dl>
					{open.map(([kind, count]) => (
						<Fact key={kind} name={staffText.open.kind[kind]} value={String(count)} />
					))}
				</dl>
			)}
			<Button kind={total > 0 ? 'primary' : 'secondary'} icon="check" onClick={onOpen}>
				{staffText.open.button}
			</Button>
		</Card>
	);
}

function Parts({ parts, onRehearse }: Pick<StaffHome, 'parts'> & { onRehearse: () => void }) {
	return (
		<Card title={words.parts}>
			<dl>
				{parts.map(({ part, state }) => (
					<div key={part} data-state={state}>
						<dt>{words.part[part]}</dt>
						<dd>{words.state[state]}</dd>
					</div>
				))}
			</dl>
			<div className={styles.buttons}>
				{parts.some(({ part, state }) => part === 'printer' && state !== 'off') && <SampleButton />}
				<Button icon="wheel" onClick={onRehearse}>
					{staffText.rehearsal.title}
				</Button>
			</div>
		</Card>
	);
}

/**
 * Shows when and where a customer called staff. By opening this screen, staff have answered the
 * call.
 */
function Called({ since, screen, invoice }: NonNullable<StaffHome['call']>) {
	const timezone = useTimezone();
	const { time } = siteTime(timezone, new Date(since));
	return (
		<p className={styles.called} role="status">
			<Icon name="staff" />
			{words.call(time.slice(0, 5), words.callFrom[screen], invoice)}
		</p>
	);
}

/** The overview for staff: today's figures, open cases and the state of the kiosk. */
export default function StaffHomeScreen() {
	const { facts, failed } = useStaffHome();
	const navigate = useNavigate();
	return (
		<div className={styles.home}>
			<header className={styles.head}>
				<div>
					<h1>{words.title}</h1>
					<p className={styles.version}>{words.hint}</p>
				</div>
				{facts && <p className={styles.version}>{words.version(facts.version)}</p>}
			</header>
			<div className={styles.cards} aria-busy={facts === null}>
				{failed && (
					<p className={styles.failed} role="alert">
						{words.failed}
					</p>
				)}
				{facts === null && !failed && (
					<p className={styles.loading} role="status">
						<Spinner />
						{words.loading}
					</p>
				)}
				{facts && (
					<>
						{facts.call && <Called {...facts.call} />}
						{facts.cases && facts.today ? (
							<>
								<Cases cases={facts.cases} onOpen={() => navigate('/staf/kasus')} />
								<Today today={facts.today} onCount={() => navigate('/staf/kotak')} />
							</>
						) : (
							<p className={styles.failed} role="alert">
								{words.closed}
							</p>
						)}
						<Parts parts={facts.parts} onRehearse={() => navigate('/staf/uji')} />
					</>
				)}
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={() => navigate('/')}>
					{text.kembali}
				</Button>
				<Button icon="receipt" onClick={() => navigate('/daftar-transaksi')}>
					{words.list}
				</Button>
				<Button icon="qr" onClick={() => navigate('/staf/periksa')}>
					{staffText.check.button}
				</Button>
				<LogOutButton />
				<SettingsButton />
				<ConnectionPill />
			</footer>
		</div>
	);
}
