import type { Receipt } from '@kiosk/contract/receipt';
import { receiptText } from '../../text/receipt.ts';
import styles from './cetak.module.css';
import { QrCode } from './qr-code.tsx';

/** The code at the foot of a receipt: letters for typing, and a QR code for scanning. */
export function PaperCode({ proof: { code, text } }: { proof: NonNullable<Receipt['proof']> }) {
	return (
		<div className={styles.proof}>
			{code !== '' && (
				<p>
					<span>{receiptText.code}</span> <b>{code}</b>
				</p>
			)}
			<QrCode text={text} mode="alphanumeric" />
		</div>
	);
}
