import { pageChosen } from '../../state/list.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import { pageWindow } from './page-window.ts';
import styles from './pager.module.css';

/** The page buttons of the list. They are hidden if there is only one page. */
export function Pager() {
	const page = useAppSelector((state) => state.list.page);
	const lastPage = useAppSelector((state) => state.list.lastPage);
	const dispatch = useAppDispatch();
	if (lastPage <= 1) return null;

	const { pages, toFirst } = pageWindow(page, lastPage);
	const turn = (to: number) => {
		if (to !== page) dispatch(pageChosen(to));
	};
	return (
		<nav className={styles.pager} aria-label={staffText.list.pages}>
			{toFirst && (
				<button type="button" className={styles.page} aria-label={staffText.list.first} onClick={() => turn(1)}>
					&lt;&lt;
				</button>
			)}
			{pages.map((number) => (
				<button
					key={number}
					type="button"
					className={styles.page}
					aria-label={staffText.list.page(number)}
					aria-current={number === page ? 'page' : undefined}
					onClick={() => turn(number)}
				>
					{number}
				</button>
			))}
			<button
				type="button"
				className={styles.page}
				aria-label={staffText.list.last}
				disabled={page === lastPage}
				onClick={() => turn(lastPage)}
			>
				&gt;&gt;
			</button>
		</nav>
	);
}
