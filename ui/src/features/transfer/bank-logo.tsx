import { useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { pictureAddress } from '../../lib/picture-address.ts';
import styles from './bank-list.module.css';

/** A bank's logo, or a drawn bank if there is no logo or the logo does not load. */
export function BankLogo({ address }: { address: string }) {
	const [failed, setFailed] = useState(false);
	return (
		<span className={styles.logo}>
			{address === '' || failed ? <Icon name="bank" /> : <img src={pictureAddress(address)} alt="" onError={() => setFailed(true)} />}
		</span>
	);
}
