import { type ReactNode, useEffect } from 'react';
import { Actions } from '../../components/actions.tsx';
import { Fact } from '../../components/fact.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { questionAsked } from '../../state/attention.ts';
import { useAppDispatch } from '../../state/store.ts';
import styles from './verdict.module.css';

type VerdictProps = {
	tone: 'wait' | 'stop';
	icon: IconName;
	title: string;
	/** What happened and where the money is. Screen readers read this together with the title. */
	children: ReactNode;
	/** What happens next automatically, such as a countdown. */
	next?: ReactNode;
	actions: ReactNode;
};

/** Replaces the instructions with one message and its actions. */
export function Verdict({ tone, icon, title, children, next, actions }: VerdictProps) {
	const dispatch = useAppDispatch();
	// Plays a sound, because the customer looks at the terminal when this message appears.
	useEffect(() => {
		dispatch(questionAsked());
	}, [dispatch]);
	return (
		<div className={styles.verdict}>
			<section className={styles.news} data-tone={tone} role="alert">
				<Icon name={icon} />
				<h1>{title}</h1>
				{children}
			</section>
			{next}
			<Actions>{actions}</Actions>
		</div>
	);
}

/** Names and values by which staff find the sale. */
export function Facts({ facts }: { facts: readonly { name: string; value: string }[] }) {
	return (
		<dl className={styles.facts}>
			{facts.map(({ name, value }) => (
				<Fact key={name} name={name} value={value} />
			))}
		</dl>
	);
}

/**
 * Announces the next automatic step and counts down to it.
 * @param left whole seconds until the step
 */
export function Countdown({ left, title, words }: { left: number; title?: string; words: string }) {
	return (
		<div className={styles.countdown}>
			<strong className={styles.left} aria-hidden="true">
				{left}
			</strong>
			<p role="timer">
				{title && <strong>{title}</strong>}
				<span>{words}</span>
			</p>
		</div>
	);
}
