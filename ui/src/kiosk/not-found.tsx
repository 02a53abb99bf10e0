import { useNavigate } from 'react-router-dom';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { IdleQuestion } from '../components/idle-question.tsx';
import { text } from '../text/screens.ts';
import { staffText } from '../text/staff.ts';
import styles from './full-page.module.css';

/** The 404 page. */
export default function NotFoundScreen() {
	const navigate = useNavigate();
	const home = () => navigate('/');
	return (
		<main className={styles.page}>
			<Icon name="receipt" className={styles.plain} />
			<h1>404</h1>
			<p>
				{staffText.notFound.title}. {staffText.notFound.body}
			</p>
			<Button kind="primary" icon="back" onClick={home}>
				{text.kembali}
			</Button>
			<IdleQuestion enabled onLeave={home} />
		</main>
	);
}
