import { useState } from 'react';
import { logOut } from '../../app/session-actions.ts';
import { useAppDispatch } from '../../app/store.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { staffText } from '../../text/staff.ts';

/** Logs the outlet out after a confirmation: no customer can pay until staff log in again. */
export function LogOutButton() {
	const dispatch = useAppDispatch();
	const [asking, setAsking] = useState(false);
	const stay = () => setAsking(false);
	return (
		<>
			<Button icon="staff" onClick={() => setAsking(true)}>
				{staffText.logOut.button}
			</Button>
			{asking && (
				<Dialog
					title={staffText.logOut.title}
					onDismiss={stay}
					actions={
						<>
							<Button
								kind="stop"
								onClick={() => {
									stay();
									void dispatch(logOut());
								}}
							>
								{staffText.logOut.go}
							</Button>
							<Button kind="primary" onClick={stay}>
								{staffText.logOut.stay}
							</Button>
						</>
					}
				>
					<p>{staffText.logOut.body}</p>
				</Dialog>
			)}
		</>
	);
}
