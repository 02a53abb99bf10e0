import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import type { IconName } from '../../components/icon.tsx';

interface AskingButtonProps {
	icon: IconName;
	/** Texts of the button, the question's title and the two answers. */
	words: { button: string; title: string; go: string; stay: string };
	onConfirm: () => void;
	/** Text of the question. */
	children: ReactNode;
}

/** A button for staff. It asks for a confirmation before it acts. */
export function AskingButton({ icon, words, onConfirm, children }: AskingButtonProps) {
	const [asking, setAsking] = useState(false);
	const stay = () => setAsking(false);
	const go = () => {
		stay();
		onConfirm();
	};
	return (
		<>
			<Button icon={icon} onClick={() => setAsking(true)}>
				{words.button}
			</Button>
			{asking && (
				<Dialog
					title={words.title}
					onDismiss={stay}
					actions={
						<>
							<Button kind="stop" onClick={go}>
								{words.go}
							</Button>
							<Button kind="primary" onClick={stay}>
								{words.stay}
							</Button>
						</>
					}
				>
					{children}
				</Dialog>
			)}
		</>
	);
}
