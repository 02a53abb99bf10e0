import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import { AskingButton } from './asking-button.tsx';
import { confirmSettings } from './staff-actions.ts';

/**
 * A button with which staff confirm the changed settings that keep cash closed. It is hidden if
 * there are none.
 */
export function SettingsButton() {
	const dispatch = useAppDispatch();
	const changed = useAppSelector((state) => state.settings?.unconfirmed);
	if (changed === undefined || changed.length === 0) return null;
	return (
		<AskingButton icon="warning" words={staffText.settings} onConfirm={() => void dispatch(confirmSettings(changed))}>
			<p>{staffText.settings.body}</p>
			<p>{changed.join(', ')}</p>
		</AskingButton>
	);
}
