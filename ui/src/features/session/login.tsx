import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { AlertBar } from '../../components/alert-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Keyboard } from '../../components/keyboard.tsx';
import { SideArt } from '../../components/side-art.tsx';
import { SiteBrand } from '../../components/site-brand.tsx';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { logIn } from './log-in.ts';
import styles from './login.module.css';

type Name = 'username' | 'password';
const EMPTY: Record<Name, string> = { username: staffText.login.usernameEmpty, password: staffText.login.passwordEmpty };

/** A password may consist only of spaces; a username may not. */
const isEmpty = (name: Name, value: string): boolean => (name === 'username' ? value.trim() : value) === '';

/** Logs the outlet in. The screen shows a keyboard, because staff may have no real one. */
export default function LoginScreen() {
	const [values, setValues] = useState<Record<Name, string>>({ username: '', password: '' });
	const [left, setLeft] = useState<Record<Name, boolean>>({ username: false, password: false });
	const [active, setActive] = useState<Name>('username');
	const [shown, setShown] = useState(false);
	const loading = useAppSelector((state) => state.loading);
	const dispatch = useAppDispatch();
	const navigate = useNavigate();

	const change = (name: Name, value: string) => setValues((before) => ({ ...before, [name]: value }));
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		setLeft({ username: true, password: true });
		if (loading || isEmpty('username', values.username) || isEmpty('password', values.password)) return;
		if (await dispatch(logIn(values))) navigate('/', { replace: true });
	};

	const field = (name: Name, label: string, type: 'text' | 'password') => {
		const error = left[name] && isEmpty(name, values[name]) ? EMPTY[name] : null;
		return (
			<div className={styles.field}>
				<label htmlFor={name}>{label}</label>
				<div className={styles.box} data-error={error !== null} data-active={active === name}>
					<input
						id={name}
						name={name}
						type={type}
						inputMode="none"
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						// biome-ignore lint/a11y/noAutofocus: the screen exists to be filled in
						autoFocus={name === 'username'}
						value={values[name]}
						aria-invalid={error !== null}
						aria-describedby={`${name}-error`}
						onFocus={() => setActive(name)}
						onBlur={() => setLeft((before) => ({ ...before, [name]: true }))}
						onChange={(event) => change(name, event.target.value)}
					/>
					{name === 'password' && (
						<button
							type="button"
							className={styles.show}
							aria-pressed={shown}
							onPointerDown={(event) => event.preventDefault()}
							onClick={() => setShown(!shown)}
						>
							<Icon name={shown ? 'eyeOff' : 'eye'} />
							{shown ? staffText.login.hide : staffText.login.show}
						</button>
					)}
				</div>
				<p id={`${name}-error`} className={styles.error} role="alert">
					{error}
				</p>
			</div>
		);
	};

	return (
		<div className={styles.login}>
			<header className={styles.side}>
				<SideArt />
				<SiteBrand />
				<p className={styles.tagline}>{text.promo.tagline}</p>
			</header>
			<main className={styles.task}>
				<form className={styles.form} onSubmit={submit} noValidate>
					<header>
						<h1 className={styles.title}>{staffText.login.title}</h1>
						<p className={styles.hint}>{staffText.login.hint}</p>
					</header>
					<div className={styles.fields}>
						{field('username', staffText.login.username, 'text')}
						{field('password', staffText.login.password, shown ? 'text' : 'password')}
						<button type="submit" className={styles.submit} disabled={loading}>
							{staffText.login.submit}
						</button>
					</div>
					<div className={styles.alert}>
						<AlertBar />
					</div>
				</form>
				<Keyboard
					onType={(character) => change(active, values[active] + character)}
					onBackspace={() => change(active, values[active].slice(0, -1))}
				/>
			</main>
		</div>
	);
}
