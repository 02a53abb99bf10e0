import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { StopSign } from '../../components/stop-sign.tsx';
import { useCountdown } from '../../components/use-countdown.ts';
import { useSpoken } from '../../components/use-spoken.ts';
import type { LookUpFailure } from '../../lib/lookup-failure.ts';
import { keepDraft, readHp } from '../../lib/visit-storage.ts';
import { isOnline } from '../../state/connection.ts';
import { useAppSelector } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import { grouped } from './phone-number.ts';
import styles from './unavailable.module.css';

/**
 * Time until an automatic retry, ms. A retry after a reconnect alone is not enough, because the
 * live socket may stay open while calls fail.
 */
const RETRY_MS = 20_000;

/** Failures that another number would not resolve. */
const NOT_THE_NUMBER: readonly LookUpFailure['kind'][] = ['offline', 'trouble'];

/**
 * If network or back office caused the failure, retries after a reconnect. If the back office could
 * not be reached, also retries after `RETRY_MS`.
 */
function useAutomaticRetry(kind: LookUpFailure['kind'], onAgain: () => void) {
	const online = useAppSelector((state) => isOnline(state.connection));
	const before = useRef(online);
	const again = useEffectEvent(onAgain);
	useEffect(() => {
		const isBack = online && !before.current;
		before.current = online;
		if (isBack && NOT_THE_NUMBER.includes(kind)) again();
	}, [online, kind]);
	useCountdown(kind === 'offline' ? RETRY_MS : null, onAgain);
}

/**
 * After a failed look-up, shows the cause, the typed number and what the customer can do.
 * @param onAgain looks the same number up again
 */
export function Unavailable({ failure, onAgain }: { failure: LookUpFailure; onAgain: () => void }) {
	const navigate = useNavigate();
	const { kind, message, waitMs } = failure;
	const { failed } = paymentText.method;
	const left = useCountdown(waitMs, () => {});
	useAutomaticRetry(kind, onAgain);
	const wait = left ?? Math.ceil((waitMs ?? 0) / 1_000);
	const mayFix = kind === 'not_found' || kind === 'throttled';
	const mayTry = kind !== 'not_found' && wait === 0;
	useSpoken(message ?? text.gangguan, paymentText.method.unavailable, failed[kind], mayTry ? failed.again : failed.fix);
	const fix = () => {
		keepDraft(readHp());
		navigate('/');
	};
	return (
		<>
			<div className={styles.unavailable} role="alert">
				<StopSign name={kind === 'offline' ? 'offline' : 'warning'} />
				<h1>{kind === 'throttled' ? failed.tooMany(wait) : (message ?? text.gangguan)}</h1>
				<p className={styles.number}>
					<span>{failed.number}</span>
					<strong>{grouped(readHp())}</strong>
				</p>
				<p>
					{kind === 'throttled' && mayTry ? '' : `${paymentText.method.unavailable}. `}
					{failed[kind]}
				</p>
			</div>
			<Actions middle={mayFix && mayTry}>
				<Button icon="back" onClick={() => navigate('/')}>
					{text.kembali}
				</Button>
				{mayFix && (
					<Button kind={mayTry ? 'secondary' : 'primary'} icon="backspace" onClick={fix}>
						{failed.fix}
					</Button>
				)}
				{mayTry && (
					<Button kind="primary" icon="reload" onClick={onAgain}>
						{failed.again}
					</Button>
				)}
			</Actions>
		</>
	);
}
