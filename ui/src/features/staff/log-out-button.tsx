import { useAppDispatch } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import { logOut } from '../session/session-actions.ts';
import { AskingButton } from './asking-button.tsx';

/**
 * Logs the outlet out after a confirmation, because customers cannot pay until staff log in again.
 */
export function LogOutButton() {
	const dispatch = useAppDispatch();
	return (
		<AskingButton icon="staff" words={staffText.logOut} onConfirm={() => void dispatch(logOut())}>
			<p>{staffText.logOut.body}</p>
		</AskingButton>
	);
}
