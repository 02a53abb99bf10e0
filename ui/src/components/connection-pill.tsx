import { isOnline } from '../state/connection.ts';
import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { Pill } from './pill.tsx';

/** Shows whether the kiosk is connected to the back office. */
export function ConnectionPill() {
	const online = useAppSelector((state) => isOnline(state.connection));
	return online ? (
		<Pill tone="good" icon="online">
			{text.online}
		</Pill>
	) : (
		<Pill tone="stop" icon="offline">
			{text.offline}
		</Pill>
	);
}
