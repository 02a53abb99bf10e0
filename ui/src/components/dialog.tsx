import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';
import { useSpoken } from './use-spoken.ts';

/** A modal question. Escape calls `onDismiss`. */
export function Dialog({
	title,
	children,
	actions,
	onDismiss,
}: {
	title: string;
	children: ReactNode;
	actions: ReactNode;
	onDismiss: () => void;
}) {
	const titleId = useId();
	useSpoken(title);
	const dialog = useRef<HTMLDialogElement>(null);
	const answers = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const opened = dialog.current;
		opened?.showModal();
		// The focus is put on the last answer, because the last answer is harmless.
		answers.current?.querySelector<HTMLButtonElement>('button:last-child')?.focus();
		// `close` also gives the focus back to where it was before.
		return () => opened?.close();
	}, []);
	return (
		<dialog
			ref={dialog}
			className={styles.dialog}
			aria-labelledby={titleId}
			onCancel={(event) => {
				event.preventDefault();
				onDismiss();
			}}
		>
			<h2 id={titleId} className={styles.title}>
				{title}
			</h2>
			<div className={styles.body}>{children}</div>
			<div ref={answers} className={styles.actions}>
				{actions}
			</div>
		</dialog>
	);
}
