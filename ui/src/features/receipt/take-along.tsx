import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useAppSelector } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';
import { QrCode } from './qr-code.tsx';
import styles from './take-along.module.css';

/**
 * Time for the customer to scan the code, ms. This is enough for a slow camera and a second
 * try.
 */
export const LARGE_MS = 30_000;

type TakeAlongProps = {
	/** Called when the large code opens or closes. While it is open, the kiosk goes home later. */
	onLarge: (large: boolean) => void;
	/** Seconds until the kiosk goes home; null if it does not. */
	left: number | null;
};

/**
 * The receipt's QR code with a label, small between the buttons. A touch enlarges the code so that
 * a phone can scan it. Until the daemon has made the code, its place is kept free. If the browser
 * prints the receipt, the page /cetak shows the code instead.
 */
export function TakeAlong({ onLarge, left }: TakeAlongProps) {
	const take = useAppSelector((state) => state.paid.take);
	const byPage = useAppSelector((state) => state.settings?.print === 'browser');
	const [large, setLarge] = useState(false);
	const show = (open: boolean) => {
		setLarge(open);
		onLarge(open);
	};
	useEffect(() => () => onLarge(false), [onLarge]);
	if (byPage) return null;
	const words = paymentText.take;
	return (
		<>
			<button type="button" data-code className={styles.small} onClick={() => show(true)} disabled={take === null}>
				{take === null ? <Icon name="qr" /> : <QrCode text={take.text} mode="alphanumeric" />}
				<span>{words.button}</span>
			</button>
			{large && take !== null && (
				<Dialog
					title={words.title}
					actions={
						<Button kind="primary" onClick={() => show(false)}>
							{text.tutup}
						</Button>
					}
					onDismiss={() => show(false)}
				>
					<div className={styles.codes} data-wide data-two={take.link !== null}>
						<figure>
							<QrCode text={take.text} mode="alphanumeric" className={styles.code} />
							<figcaption>
								{words.photo}
								{take.code !== '' && <b>{take.code}</b>}
							</figcaption>
						</figure>
						{take.link !== null && (
							<figure>
								<QrCode text={take.link} mode="byte" className={styles.code} />
								<figcaption>{words.whatsapp}</figcaption>
							</figure>
						)}
					</div>
					{left !== null && <p className={styles.left}>{paymentText.paid.home(left)}</p>}
				</Dialog>
			)}
		</>
	);
}
