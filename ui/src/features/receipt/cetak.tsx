import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import { linesLeftOut, overpaid, type Receipt } from '@kiosk/contract/receipt';
import { formatQuantity, formatShown } from '@kiosk/contract/receipt-line';
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { Fact } from '../../components/fact.tsx';
import { SideArt } from '../../components/side-art.tsx';
import { SiteBrand } from '../../components/site-brand.tsx';
import { useHeight } from '../../components/use-height.ts';
import { pictureAddress } from '../../lib/picture-address.ts';
import { readReceipt } from '../../lib/stored-visit.ts';
import { paymentText } from '../../text/payment.ts';
import { receiptText } from '../../text/receipt.ts';
import { text } from '../../text/screens.ts';
import styles from './cetak.module.css';
import { PaperCode } from './paper-code.tsx';

/** The browser's print dialog opens after this time, which the specification gives. */
const PRINT_AFTER_MS = 1_000;

const PAPER_MM = 80;
/** The shown paper takes at most this share of the panel's height. */
const SHARE = 0.96;

/** The dealer's name, below the dealer's logo if there is one and it loads. */
function Brand({ receipt }: { receipt: Receipt }) {
	const [failed, setFailed] = useState(false);
	return (
		<header className={styles.brand}>
			{receipt.logo !== '' && !failed && <img src={pictureAddress(receipt.logo)} alt="" onError={() => setFailed(true)} />}
			<strong>{receipt.ahass.trim() || receiptText.brand}</strong>
		</header>
	);
}

function Sum({ name, value, strong = false }: { name: string; value: Rupiah; strong?: boolean }) {
	return (
		<div className={strong ? styles.strong : undefined}>
			<dt>{name}</dt>
			<dd>{formatRupiah(value)}</dd>
		</div>
	);
}

function Paper({ receipt }: { receipt: Receipt }) {
	const over = overpaid(receipt);
	const leftOut = linesLeftOut(receipt);
	return (
		<>
			{receipt.is_paid && (
				<span className={styles.watermark} role="img" aria-label={receiptText.watermark} data-word={receiptText.watermark} />
			)}
			<Brand receipt={receipt} />
			{receipt.copy && <p className={styles.copy}>{receiptText.copy}</p>}
			<dl className={styles.facts}>
				<Fact name={receiptText.tanggal} value={receipt.tanggal} />
				<Fact name={receiptText.ahass} value={receipt.ahass} />
				<Fact name={receiptText.nomor} value={receipt.nomor} />
				<Fact name={receiptText.nama} value={receipt.nama} />
				<Fact name={receiptText.status} value={receipt.is_paid ? receiptText.paid : receiptText.unpaid} />
				<Fact name={receiptText.metode} value={receipt.metode} />
				<Fact name={receiptText.nopol} value={receipt.nopol} />
			</dl>
			<ul className={styles.lines}>
				{receipt.lines.map((line, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a printed line has no id and never moves
					<li key={index}>
						<span>{line.name}</span>
						<span>
							{formatQuantity(line.qty)} x {formatShown(line.price)}
						</span>
						<span>{formatShown(line.subtotal)}</span>
					</li>
				))}
				{leftOut !== null && <li>{leftOut}</li>}
			</ul>
			<dl className={styles.sums}>
				<Sum name={receiptText.untaxed} value={receipt.untaxed} />
				<Sum name={receiptText.taxed} value={receipt.taxed} />
				<Sum name={receiptText.total} value={receipt.total} strong />
				{receipt.received !== null && <Sum name={receiptText.received} value={receipt.received} />}
				{over > 0 && <Sum name={receiptText.over} value={over} strong />}
			</dl>
			{over > 0 && <p className={styles.exchange}>{receipt.copy ? receiptText.exchangeCopy : receiptText.exchange}</p>}
			{receipt.clock_in_doubt && <p className={styles.exchange}>{receiptText.clockDoubt}</p>}
			{receipt.proof && <PaperCode proof={receipt.proof} />}
		</>
	);
}

/**
 * Makes the printed page as long as the receipt. A fixed style sheet cannot do this, because it
 * does not know the length.
 */
function setPageLength(paper: HTMLElement): void {
	const mm = paper.offsetHeight / (paper.offsetWidth / PAPER_MM);
	const sheet = new CSSStyleSheet();
	sheet.insertRule(`@page { size: ${PAPER_MM}mm ${Math.ceil(mm)}mm; margin: 0; }`);
	document.adoptedStyleSheets = [sheet];
}

/**
 * Shows the receipt as a page and opens the browser's print dialog. Afterwards the kiosk goes home.
 */
export default function PrintScreen() {
	const [receipt] = useState(readReceipt);
	const page = useRef<HTMLDivElement>(null);
	const paper = useRef<HTMLElement>(null);
	const [room, length] = [useHeight(page), useHeight(paper)];
	const navigate = useNavigate();
	const print = useEffectEvent(() => {
		if (paper.current !== null) setPageLength(paper.current);
		window.print();
		document.adoptedStyleSheets = [];
		navigate('/', { replace: true });
	});
	useEffect(() => {
		if (receipt === null) return;
		const timer = setTimeout(() => print(), PRINT_AFTER_MS);
		return () => clearTimeout(timer);
	}, [receipt]);

	if (receipt === null) return <Navigate to="/" replace />;
	return (
		<main className={styles.screen}>
			<div className={styles.side}>
				<SideArt />
				<SiteBrand />
				<p>{paymentText.print.printing}</p>
			</div>
			<h1 className="silent">{text.cetak}</h1>
			<div ref={page} className={styles.page}>
				<article ref={paper} lang="id" className={styles.paper} style={{ '--fit': Math.min(1, (room * SHARE) / length) } as CSSProperties}>
					<Paper receipt={receipt} />
				</article>
			</div>
		</main>
	);
}
