import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { nonCashText } from '../../text/non-cash.ts';
import { qrAddress } from './qr-address.ts';
import styles from './qris-view.module.css';
import { Trouble } from './trouble.tsx';

/**
 * The QR code.
 * @param qrUrl the address of the code's picture, or the code's text
 */
export function QrPicture({ qrUrl }: { qrUrl: string }) {
	const { qris } = nonCashText;
	const [address, setAddress] = useState<string | null>(null);
	const [broken, setBroken] = useState(false);
	useEffect(() => {
		if (broken) return;
		let left = false;
		void qrAddress(qrUrl).then((made) => {
			if (left) return;
			setAddress(made);
			setBroken(made === null);
		});
		return () => {
			left = true;
		};
	}, [qrUrl, broken]);

	if (broken) {
		return (
			<Trouble icon="warning" title={qris.broken} hint={qris.brokenHint}>
				<Button icon="reload" onClick={() => setBroken(false)}>
					{nonCashText.again}
				</Button>
			</Trouble>
		);
	}
	if (address === null) return <Spinner />;
	return <img className={styles.picture} src={address} width={300} height={300} alt={qris.picture} onError={() => setBroken(true)} />;
}
