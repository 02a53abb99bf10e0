import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Keypad } from '../../components/keypad.tsx';
import { StopSign } from '../../components/stop-sign.tsx';
import { useCountdown } from '../../components/use-countdown.ts';
import { alertClosed } from '../../state/alert.ts';
import { pinWaited } from '../../state/pin-lock.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import styles from './pin-gate.module.css';
import { askPinDelay, unlockList } from './staff-actions.ts';

/** Maximum length of the entry, because a stuck key would type without end. PINs are shorter. */
const MAX_LENGTH = 32;

/** The field and its keypad. The typed PIN is cleared when it is sent. */
function PinForm({ onPin }: { onPin: (pin: string) => void }) {
	const [pin, setPin] = useState('');
	const [left, setLeft] = useState(false);
	const checking = useAppSelector((state) => state.loading);
	const dispatch = useAppDispatch();
	const empty = left && pin === '' && !checking;

	const change = (value: string) => {
		// Closes the alert "PIN salah", because it is about the previous PIN.
		dispatch(alertClosed());
		setPin(value.slice(0, MAX_LENGTH));
	};
	const submit = (event?: FormEvent) => {
		event?.preventDefault();
		setLeft(pin === '');
		if (pin === '' || checking) return;
		setPin('');
		onPin(pin);
	};

	return (
		<form className={styles.form} onSubmit={submit}>
			<header>
				<h1 className={styles.title}>
					<label htmlFor="pin">{staffText.pin.title}</label>
				</h1>
				<p className={styles.hint}>{staffText.pin.hint}</p>
			</header>
			<div>
				<input
					id="pin"
					className={styles.input}
					type="password"
					inputMode="none"
					autoComplete="off"
					// biome-ignore lint/a11y/noAutofocus: the one task of this screen
					autoFocus
					value={pin}
					aria-invalid={empty}
					aria-describedby="pin-note"
					onBlur={() => setLeft(true)}
					onChange={(event) => change(event.target.value)}
				/>
				<p id="pin-note" className={styles.note} data-error={empty} role="status">
					{checking && staffText.pin.checking}
					{empty && staffText.pin.empty}
				</p>
			</div>
			<Keypad
				onDigit={(digit) => change(pin + digit)}
				onBackspace={() => change(pin.slice(0, -1))}
				onConfirm={submit}
				confirm={staffText.pin.submit}
				confirmDisabled={pin === '' || checking}
			/>
		</form>
	);
}

/**
 * Replaces the form while the daemon accepts no PIN.
 * @param until when PINs are accepted again, ms of `performance.now()`
 */
function LockedOut({ until }: { until: number }) {
	const [waitMs] = useState(() => Math.max(0, until - performance.now()));
	const dispatch = useAppDispatch();
	const left = useCountdown(waitMs, () => dispatch(pinWaited()));
	const seconds = left ?? Math.ceil(waitMs / 1_000);
	return (
		<div className={styles.locked}>
			<StopSign name="clock" />
			<div role="status">
				<h1 className={styles.title}>{staffText.pin.locked}</h1>
				<p className={styles.hint}>{staffText.pin.lockedHint}</p>
			</div>
			<p className={styles.left} role="timer">
				{Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
			</p>
		</div>
	);
}

/**
 * Takes the place of the staff screens until a PIN is accepted. The daemon counts wrong PINs and
 * decides how long it accepts none after them.
 */
export function PinGate({ onLeave }: { onLeave: () => void }) {
	const until = useAppSelector((state) => state.pinLock.until);
	const dispatch = useAppDispatch();
	const here = useRef(new AbortController());
	useEffect(() => {
		const staying = here.current;
		void dispatch(askPinDelay());
		return () => staying.abort();
	}, [dispatch]);

	const tryPin = (pin: string) => void dispatch(unlockList(pin, here.current.signal));
	return (
		<div className={styles.gate}>
			{until === 0 ? <PinForm onPin={tryPin} /> : <LockedOut key={until} until={until} />}
			<Button icon="back" className={styles.back} onClick={onLeave}>
				{text.kembali}
			</Button>
		</div>
	);
}
