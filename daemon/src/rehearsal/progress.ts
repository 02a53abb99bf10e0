/** Progress of a rehearsal: a pure function of the observed signs and the answers. */
import { type Question, type RehearsalName, SCRIPTS, type Sign, type Step } from './scripts.ts';
import type { Presence } from './signs.ts';

export type Answers = Partial<Record<Question, number>>;

export interface Progress {
	readonly name: RehearsalName;
	/** Index of the present step; equals the number of steps when all are done. */
	readonly step: number;
	/**
	 * Whether the moment to be tested was missed. If so, the rehearsal proves nothing, but the money
	 * is still checked.
	 */
	readonly missed: boolean;
	readonly answers: Answers;
}

export const begunProgress = (name: RehearsalName): Progress => ({ name, step: 0, missed: false, answers: {} });

/** @returns the present step; null when all steps are done */
export const stepOf = ({ name, step }: Progress): Step | null => SCRIPTS[name].steps[step] ?? null;

/** @returns the progress after a sign; the same object if the sign changes nothing */
export function afterSign(progress: Progress, sign: Sign, presence: Presence): Progress {
	const step = stepOf(progress);
	if (step === null || 'ask' in step) return progress;
	if (sign === step.until) return skipPresent(next(progress), presence);
	if (sign === step.missed) return { ...progress, step: firstQuestion(progress), missed: true };
	return sign === 'restarted' ? afterRestart(progress, presence) : progress;
}

/**
 * @returns the progress after a restart of the daemon. It continues after the next step that waits
 * for a power cut. If this skips more than one step, the moment counts as missed.
 */
function afterRestart(progress: Progress, presence: Presence): Progress {
	const { steps } = SCRIPTS[progress.name];
	const at = steps.findIndex((step, index) => index > progress.step && 'until' in step && step.until === 'restarted');
	if (at < 0) return progress;
	// One step may be skipped: the power cut may have come before the sign of this step was saved.
	return skipPresent({ ...progress, step: at + 1, missed: at > progress.step + 1 }, presence);
}

/** @returns the progress after an answer; null if the present step is not a question */
export function afterAnswer(progress: Progress, value: number): Progress | null {
	const step = stepOf(progress);
	if (step === null || !('ask' in step)) return null;
	return { ...next(progress), answers: { ...progress.answers, [step.ask]: value } };
}

/**
 * Skips the present step if the device has already reported the state for which the step waits. The
 * device does not report a state twice.
 */
function skipPresent(progress: Progress, presence: Presence): Progress {
	const step = stepOf(progress);
	if (step === null || 'ask' in step) return progress;
	return step.until === presence.acceptor || step.until === presence.edc ? skipPresent(next(progress), presence) : progress;
}

const next = (progress: Progress): Progress => ({ ...progress, step: progress.step + 1 });

const firstQuestion = ({ name }: Progress): number => SCRIPTS[name].steps.findIndex((step) => 'ask' in step);
