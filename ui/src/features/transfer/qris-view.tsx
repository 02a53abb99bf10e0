import type { QrisPayment } from '@kiosk/contract/open-payment';
import { useSpoken } from '../../components/use-spoken.ts';
import { useAppSelector } from '../../state/store.ts';
import { nonCashText } from '../../text/non-cash.ts';
import { LeaveButtons } from './leave-buttons.tsx';
import { QrPicture } from './qr-picture.tsx';
import styles from './qris-view.module.css';
import { RenewButton } from './renew-button.tsx';
import { Trouble } from './trouble.tsx';
import { useExpiry, useTimeLeft } from './use-time-left.ts';
import { WaitingLine } from './waiting-line.tsx';

/** @param timeLeft ms until the code expires; null if unknown */
function Inside({ code, timeLeft }: { code: QrisPayment | null; timeLeft: number | null }) {
	const { qris } = nonCashText;
	if (code === null) {
		return (
			<Trouble title={qris.preparing} hint={qris.preparingHint}>
				<RenewButton>{qris.renew}</RenewButton>
			</Trouble>
		);
	}
	if (timeLeft === 0) {
		return (
			<Trouble icon="clock" title={qris.expired} hint={qris.expiredHint}>
				<RenewButton primary>{qris.renew}</RenewButton>
			</Trouble>
		);
	}
	return <QrPicture key={code.qr_url} qrUrl={code.qr_url} />;
}

/**
 * Shows a QRIS code for the customer's phone. An expired code is hidden, so that customers do not
 * pay with it.
 */
export function QrisView({ code }: { code: QrisPayment | null }) {
	const development = useAppSelector((state) => state.session?.development ?? false);
	const timeLeft = useTimeLeft(code?.expiry ?? '');
	useExpiry(timeLeft === 0);
	const { qris } = nonCashText;
	useSpoken(...(code === null ? [qris.preparing] : timeLeft === 0 ? [qris.expired, qris.expiredHint] : [qris.title]));
	return (
		<div className={styles.qris}>
			{/* The usual title asks the customer to scan, which is wrong for an expired code. */}
			<h1>{timeLeft === 0 ? nonCashText.qris.method : nonCashText.qris.title}</h1>
			<div className={styles.place}>
				<div className={styles.card}>
					<Inside code={code} timeLeft={timeLeft} />
				</div>
			</div>
			<div>
				{development && code !== null && <p className={styles.address}>{code.qr_url}</p>}
				{timeLeft !== 0 && <WaitingLine timeLeft={timeLeft} />}
			</div>
			<LeaveButtons />
		</div>
	);
}
