import type { Receipt } from '@kiosk/contract/receipt';
import { create } from 'qrcode';
import { receiptText } from '../../text/receipt.ts';
import styles from './cetak.module.css';

/** White modules around the code, which scanners need to find it. */
const QUIET = 4;

/** The code at the foot of a receipt: for the keypad, and as a QR code of one black path. */
export function PaperCode({ proof: { code, text } }: { proof: NonNullable<Receipt['proof']> }) {
	const { size, data } = create([{ data: text, mode: 'alphanumeric' }], { errorCorrectionLevel: 'M' }).modules;
	const dark = Array.from(data, (module, at) => (module ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : '')).join('');
	const edge = size + 2 * QUIET;
	return (
		<div className={styles.proof}>
			{code !== '' && (
				<p>
					<span>{receiptText.code}</span> <b>{code}</b>
				</p>
			)}
			<svg viewBox={`${-QUIET} ${-QUIET} ${edge} ${edge}`} shapeRendering="crispEdges" aria-hidden="true">
				<path d={dark} />
			</svg>
		</div>
	);
}
