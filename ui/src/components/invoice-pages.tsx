import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { text } from '../text/screens.ts';
import { Icon } from './icon.tsx';
import styles from './invoice-pages.module.css';

const pagesOf = (list: HTMLElement): number => Math.max(1, Math.round(list.scrollWidth / Math.max(1, list.clientWidth)));

/**
 * Shows rows in pages: rows that do not fit are on further pages. A button turns the pages, because
 * scrolling works badly on a dirty panel. Each page is a CSS column as wide as the list.
 */
export function InvoicePages({ children }: { children: ReactNode }) {
	const list = useRef<HTMLDivElement>(null);
	const pager = useRef<HTMLDivElement>(null);
	const [pages, setPages] = useState(1);
	const [page, setPage] = useState(0);

	useLayoutEffect(() => {
		const element = list.current;
		if (element === null) return;
		const count = () => {
			const { scrollLeft } = element;
			// The pager itself takes room, so all rows may fit on one page without it.
			pager.current?.style.setProperty('display', 'none');
			const whole = pagesOf(element) === 1;
			pager.current?.style.removeProperty('display');
			setPages(whole ? 1 : pagesOf(element));
			element.scrollLeft = scrollLeft;
		};
		count();
		const observer = new ResizeObserver(count);
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	useLayoutEffect(() => {
		if (list.current !== null) list.current.scrollLeft = page * list.current.clientWidth;
	}, [page]);

	const shown = Math.min(page, pages - 1);
	return (
		<div className={styles.pages}>
			<div ref={list} className={styles.lines}>
				{children}
			</div>
			{pages > 1 && (
				<div ref={pager} className={styles.pager}>
					<span>{text.invoice.page(shown + 1, pages)}</span>
					<button type="button" className={styles.turn} disabled={shown === 0} onClick={() => setPage(shown - 1)}>
						<Icon name="back" />
						{text.invoice.before}
					</button>
					<button type="button" className={styles.turn} disabled={shown === pages - 1} onClick={() => setPage(shown + 1)}>
						{text.invoice.next}
						<Icon name="next" />
					</button>
				</div>
			)}
		</div>
	);
}
