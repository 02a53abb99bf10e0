import { useAppSelector } from '../../state/store.ts';
import { edcText, terminalText } from '../../text/edc.ts';

/**
 * @returns why cards are not accepted now, in a few words; null if the terminal is available or
 * only busy for a moment
 */
export function useCardObstacle(): string | null {
	const configured = useAppSelector((state) => state.settings?.edc ?? false);
	const open = useAppSelector((state) => state.connection.socket);
	const terminal = useAppSelector((state) => state.edc.terminal);
	if (!configured) return terminalText.not_configured.status;
	if (!open) return edcText.tile.noSocket;
	if (terminal === null) return edcText.tile.unheard;
	return terminal === 'ready' || terminal === 'busy' ? null : terminalText[terminal].status;
}
