/**
 * Facts that decide whether a version on trial is good. Faults of network, back office or paper,
 * and the work of staff on a device, do not count: they may coincide with a restart.
 */
import type { CardDesk } from '../card/card-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, type Handler } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import type { PrintDesk } from '../printer/print-desk.ts';
import type { ScreenLiveness } from '../screen/liveness.ts';

export interface TrialFacts {
	/**
	 * `checking`: the journal is open, but not all records are verified yet. `newer`: only a later
	 * version can read the journal.
	 */
	journal: 'ok' | 'checking' | 'refused' | 'newer';
	/** How long the screen has been drawing without a pause. */
	drawn_seconds: number;
	/** The devices in the settings. */
	devices: { name: 'acceptor' | 'edc' | 'printer'; state: 'ok' | 'bad' }[];
}

interface TrialDeps {
	journal: Pick<Journal, 'trouble' | 'isVerified'>;
	onTrial: () => boolean;
	liveness: Pick<ScreenLiveness, 'drawnMs'>;
	cash: Pick<CashDesk, 'acceptorState'>;
	card: Pick<CardDesk, 'terminalState'>;
	printer: Pick<PrintDesk, 'trouble'> | null;
}

/** States in which the driver cannot communicate with its device. */
const BAD: ReadonlySet<string> = new Set([
	'disconnected',
	'starting',
	'silent',
	'garbled',
	'communication_failure',
	'queue_unreachable',
	'queue_missing',
	'offline',
]);

export function trialFacts({ journal, onTrial, liveness, cash, card, printer }: TrialDeps): TrialFacts {
	const found = [
		{ name: 'acceptor', said: cash.acceptorState() },
		{ name: 'edc', said: card.terminalState() },
		...(printer ? [{ name: 'printer', said: printer.trouble() ?? 'ready' } as const] : []),
	] as const;
	const devices = found
		.filter(({ said }) => said !== 'not_configured')
		.map(({ name, said }) => ({ name, state: BAD.has(said) ? ('bad' as const) : ('ok' as const) }));
	return { journal: journalState(journal, onTrial()), drawn_seconds: Math.floor(liveness.drawnMs() / 1_000), devices };
}

function journalState(journal: TrialDeps['journal'], onTrial: boolean): TrialFacts['journal'] {
	const code = journal.trouble()?.code;
	if (code === 'journal_newer') return 'newer';
	if (code === 'journal_unhealthy') return 'refused';
	return onTrial && !journal.isVerified() ? 'checking' : 'ok';
}

/** GET /trial on the staff socket. */
export const trialCalls =
	(deps: TrialDeps): Handler =>
	(request, response, path) => {
		if (request.method !== 'GET' || path !== '/trial') return false;
		answerJson(response, 200, trialFacts(deps));
		return true;
	};
