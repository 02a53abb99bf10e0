import { useState } from 'react';
import { confirmSettings } from '../../app/staff-actions.ts';
import { useAppDispatch, useAppSelector } from '../../app/store.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { staffText } from '../../text/staff.ts';

/** Asks staff to confirm the changed settings that keep cash closed; hidden without any. */
export function SettingsButton() {
	const dispatch = useAppDispatch();
	const changed = useAppSelector((state) => state.settings?.unconfirmed);
	const [asking, setAsking] = useState(false);
	if (changed === undefined || changed.length === 0) return null;
	const stay = () => setAsking(false);
	return (
		<>
			<Button icon="warning" onClick={() => setAsking(true)}>
				{staffText.settings.button}
			</Button>
			{asking && (
				<Dialog
					title={staffText.settings.title}
					onDismiss={stay}
					actions={
						<>
							<Button
								kind="stop"
								onClick={() => {
									stay();
									void dispatch(confirmSettings(changed));
								}}
							>
								{staffText.settings.go}
							</Button>
							<Button kind="primary" onClick={stay}>
								{staffText.settings.stay}
							</Button>
						</>
					}
				>
					<p>{staffText.settings.body}</p>
					<p>{changed.join(', ')}</p>
				</Dialog>
			)}
		</>
	);
}
