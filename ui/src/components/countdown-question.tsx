import { type ReactNode, useEffect } from 'react';
import { questionAsked } from '../state/attention.ts';
import { useAppDispatch } from '../state/store.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useCountdown } from './use-countdown.ts';

type CountdownQuestionProps = {
	title: string;
	/** How long the customer has for an answer, ms. After this time the customer counts as gone. */
	answerMs: number;
	stay: string;
	leave: string;
	onStay: () => void;
	onLeave: () => void;
	/** @param left whole seconds until the countdown ends */
	children: (left: number) => ReactNode;
};

/** A question with a countdown. If the countdown ends without an answer, `onLeave` is called. */
export function CountdownQuestion({ title, answerMs, stay, leave, onStay, onLeave, children }: CountdownQuestionProps) {
	const dispatch = useAppDispatch();
	const left = useCountdown(answerMs, onLeave) ?? Math.ceil(answerMs / 1_000);
	useEffect(() => {
		dispatch(questionAsked());
	}, [dispatch]);
	return (
		<Dialog
			title={title}
			onDismiss={onStay}
			actions={
				<>
					<Button onClick={onLeave}>{leave}</Button>
					<Button kind="primary" onClick={onStay}>
						{stay}
					</Button>
				</>
			}
		>
			{children(left)}
		</Dialog>
	);
}
