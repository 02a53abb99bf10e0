import { useLocation } from 'react-router-dom';
import { useAppSelector } from '../app/store.ts';
import { text } from '../text/screens.ts';
import { Icon } from './icon.tsx';
import styles from './setup-note.module.css';

/** Where nobody pays: customers cannot do anything about it. */
const QUIET_SCREENS = ['/', '/login'];

/** What is wrong in the setup file of this machine, with its line, for who changes it. */
export function SetupNote() {
	const problems = useAppSelector((state) => state.settings?.setup_problems ?? []);
	const { pathname } = useLocation();
	const [first, ...more] = problems;
	if (first === undefined || !QUIET_SCREENS.includes(pathname)) return null;
	return (
		<div className={styles.note} role="note">
			<p className={styles.title}>
				<Icon name="warning" />
				{text.setup.title}
			</p>
			<p>{text.setup.hint}</p>
			<p lang="en" className={styles.problem}>
				{first}
				{more.length > 0 && ` (${text.setup.more(more.length)})`}
			</p>
		</div>
	);
}
