import type { AcceptorState } from '@kiosk/contract/live';
import type { IconName } from '../../components/icon.tsx';
import type { Tone } from '../../components/pill.tsx';
import { type AcceptorText, acceptorText, acceptorUnknown } from '../../text/acceptor.ts';
import { paymentText } from '../../text/payment.ts';

export type AcceptorStatus = AcceptorText & { tone: Tone; icon: IconName };

/** States that pass by themselves; the others need staff. */
const PASSING: readonly AcceptorState[] = ['starting', 'inhibited', 'busy', 'bill_removed', 'screen_frozen'];

/**
 * The acceptor's state for the customer. "Ready" is shown exactly when notes may be inserted.
 * @param of.state null while unknown
 * @param of.covered whether enough was received; the acceptor is then closed on purpose
 */
export function acceptorStatus(of: { state: AcceptorState | null; is_ready: boolean; opening: boolean; covered: boolean }): AcceptorStatus {
	if (of.is_ready) return { ...acceptorText.ready, tone: 'good', icon: 'check' };
	if (of.covered) return { ...paymentText.cash.covered, tone: 'wait', icon: 'clock' };
	// The state ready without the ready flag must not be shown to a customer with money in hand.
	if (of.state === null || of.state === 'ready') return { ...acceptorUnknown, tone: 'wait', icon: 'clock' };
	if (of.opening && of.state === 'inhibited') return { ...acceptorText.starting, tone: 'wait', icon: 'clock' };
	if (PASSING.includes(of.state)) return { ...acceptorText[of.state], tone: 'wait', icon: 'clock' };
	return { ...acceptorText[of.state], tone: 'stop', icon: 'stop' };
}
