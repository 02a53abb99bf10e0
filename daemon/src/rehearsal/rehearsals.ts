import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EndedRehearsal, ListedRehearsal, RehearsalLook, RehearsalWish, RunningRehearsal } from '@kiosk/contract/rehearsal';
import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';
import { cleanValue } from '../base/redaction.ts';
import { replaceFile } from '../base/replace-file.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { JournalRecord } from '../journal/records.ts';
import { readStore } from '../journal/store.ts';
import type { LoggedEvent } from '../log/event-fields.ts';
import type { Log } from '../log/log.ts';
import type { SlipKey } from '../proof/slip-key.ts';
import type { TapListener } from '../serial/line-tap.ts';
import { afterAnswer, afterSign, begunProgress, type Progress, stepOf } from './progress.ts';
import { dropEntries, type Recorder, readEntries, startRecorder } from './recorder.ts';
import { isRehearsal, REHEARSALS, type RehearsalName, SCRIPTS, type Script } from './scripts.ts';
import { type Recording, readRecording, signRecording } from './signed-file.ts';
import { type Presence, presenceAfter, signOf } from './signs.ts';
import { isMoving, judge, moneyOf } from './verdict.ts';

/**
 * Maximum time from start to verdict. The wall clock measures it, so it includes time without
 * power.
 */
const LONGEST_MS = 60 * 60_000;
/**
 * After the last answer, the verdict waits at most this long for the outcome of a note or sale.
 * With the default settings, a card sale has an outcome within 130 s.
 */
const LONGEST_MOVING_MS = 150_000;
const LOOK_MS = 500;
/** Number of files that are kept for each rehearsal. Older files are removed. */
const KEPT_FILES = 5;
/** Log events about money and devices, except `edc.trace`, which repeats the recorded bytes. */
const RECORDED_EVENTS = /^(acceptor|cash|card|edc|invoice|print|journal|daemon)\.(?!trace$)/;

/** The state that survives a power cut. A later version may add fields. */
const Kept = v.object({
	name: v.picklist(REHEARSALS),
	by: v.string(),
	/** When the rehearsal began, by the wall clock, ISO 8601. */
	begun: v.string(),
	/** Number of the newest journal record when the rehearsal began. */
	record: v.number(),
	run: v.number(),
	step: v.number(),
	missed: v.boolean(),
	answers: v.record(v.string(), v.number()),
});
type Kept = v.InferOutput<typeof Kept>;

/** Why a request is refused. `reason`: text for the technician at the command line. */
export type RehearsalRefused = { code: 'busy' | 'rehearsing' | 'no_rehearsal' | 'no_device' | 'no_key' | 'not_asked'; reason: string };

export interface Rehearsals {
	/**
	 * Receives every log event. While no rehearsal runs, an event only updates the presence of the
	 * devices.
	 */
	hear(event: LoggedEvent): void;
	look(): RehearsalLook;
	/**
	 * Begins or stops a rehearsal, or answers its question.
	 * @returns the new state
	 */
	wish(wish: RehearsalWish): Result<RehearsalLook, RehearsalRefused>;
	/** @returns the text of a rehearsal's file; null if there is no file of this name */
	file(name: string): string | null;
	stop(): void;
}

export interface RehearsalDeps {
	/** The folder `rehearsals` in the state directory. */
	directory: string;
	journalDirectory: string;
	/** Number of the newest journal record. */
	newestRecord: () => number;
	/** Whether a customer is paying. If true, no rehearsal begins. */
	isPaying: () => boolean;
	/** Which devices the settings name. */
	devices: Record<Script['needs'], boolean>;
	tap: (listener: TapListener | null) => void;
	pauseEscrow: (on: boolean) => void;
	key: SlipKey | null;
	/** Site, version and settings of the devices, for the file of the rehearsal. */
	kiosk: Recording['kiosk'];
	/** @returns the time in ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	clock: Clock;
	log: Log;
}

/**
 * Guides the technician through rehearsals and records them. Resumes a rehearsal that a power cut
 * interrupted.
 */
export function openRehearsals(deps: RehearsalDeps): Rehearsals {
	const { directory, clock, log, key } = deps;
	const stateFile = join(directory, 'running.json');
	const entriesFile = join(directory, 'running.jsonl');
	let presence: Presence = { acceptor: null, edc: null };
	let now: { kept: Kept; progress: Progress; recorder: Recorder; cancel: () => void } | null = null;
	let ended: EndedRehearsal | null = null;

	function start(kept: Kept, progress: Progress): void {
		const recorder = startRecorder(entriesFile, kept.run, clock, (error) => abandon(`the disk refuses: ${messageOf(error)}`));
		const left = Date.parse(kept.begun) + LONGEST_MS - clock.wall().getTime();
		const cancel = clock.after(Math.min(Math.max(left, 0), LONGEST_MS), () => abandon('it took longer than an hour'));
		now = { kept, progress, recorder, cancel };
		recorder.add({ from: 'daemon', what: 'started' });
		deps.tap((chunk) => recorder.add(chunk));
		save();
	}

	function save(): void {
		if (!now) return;
		const { step, missed, answers } = now.progress;
		now.kept = { ...now.kept, step, missed, answers };
		try {
			replaceFile(stateFile, JSON.stringify(now.kept));
		} catch (error) {
			abandon(`the disk refuses: ${messageOf(error)}`);
		}
	}

	function advance(progress: Progress): void {
		if (!now || progress === now.progress) return;
		now.progress = progress;
		const step = stepOf(progress);
		deps.pauseEscrow(step !== null && 'until' in step && step.pauseEscrow === true);
		// The save is deferred: the event being handled may belong to a payment, which must not wait
		// for the disk.
		setImmediate(save);
		if (step === null) awaitMoney(clock.now() + LONGEST_MOVING_MS);
	}

	/** Gives the verdict when every note and sale has an outcome, at the latest at `limit`. */
	function awaitMoney(limit: number): void {
		const current = now;
		if (!current) return;
		const read = recordsAfter(deps.journalDirectory, current.kept.record);
		if (!read.ok) return abandon(`the journal cannot be read: ${read.error.message}`);
		const records = read.value;
		if (isMoving(moneyOf(records.map(({ record }) => record))) && clock.now() < limit) {
			clock.after(LOOK_MS, () => now === current && awaitMoney(limit));
			return;
		}
		current.recorder
			.flushed()
			.then(() => now === current && finish(records))
			.catch((error: unknown) => abandon(messageOf(error)));
	}

	function finish(journal: readonly DatedRecord[]): void {
		if (!now || key === null) return;
		const { kept, progress } = now;
		const { name, by } = kept;
		const money = moneyOf(journal.map(({ record }) => record));
		const verdict = judge(progress, money);
		const at = clock.wall();
		const recording: Recording = {
			format: 1,
			rehearsal: name,
			by,
			begun: deps.timestamp(new Date(kept.begun)),
			ended: deps.timestamp(at),
			kiosk: deps.kiosk,
			entries: readEntries(entriesFile),
			journal: journal.map((one) => ({ ...one, record: cleanValue(one.record) })),
			answers: progress.answers,
			money,
			verdict,
		};
		const file = `rehearsal-${name}-${at.toISOString().slice(0, 19).replace(/\D/g, '')}.json`;
		replaceFile(join(directory, file), signRecording(recording, key));
		const older = filesOf(name).slice(KEPT_FILES);
		for (const one of older) rmSync(join(directory, one), { force: true });
		ended = { name, title: SCRIPTS[name].title, file, ...verdict };
		close();
		log.event('rehearsal.ended', { name, verdict: verdict.verdict, text: verdict.text, file: join(directory, file) });
	}

	function close(): void {
		now?.cancel();
		now?.recorder.close();
		now = null;
		deps.tap(null);
		deps.pauseEscrow(false);
		dropRunning();
	}

	function dropRunning(): void {
		try {
			rmSync(stateFile, { force: true });
			dropEntries(entriesFile);
		} catch {
			// On a read-only disk the files stay, so each restart resumes the rehearsal until its time
			// limit is over. The error is ignored, because it must not interrupt the daemon's start or a
			// payment.
		}
	}

	function abandon(why: string): void {
		if (!now) return;
		const { name } = now.kept;
		close();
		log.event('rehearsal.abandoned', { name, why });
	}

	/** @returns the files of a rehearsal, newest first */
	function filesOf(name: RehearsalName): string[] {
		try {
			const files = readdirSync(directory).filter((one) => new RegExp(`^rehearsal-${name}-\\d{14}\\.json$`).test(one));
			return files.sort().reverse();
		} catch {
			// No rehearsal has taken place yet.
			return [];
		}
	}

	function lastOf(name: RehearsalName): ListedRehearsal['last'] {
		const [file] = filesOf(name);
		if (file === undefined) return null;
		const found = readRecording(readFileSync(join(directory, file), 'utf8'));
		if (!found.ok) return null;
		const { ended, by, verdict } = found.value.recording;
		return { file, ended, by, verdict: verdict.verdict, text: verdict.text };
	}

	resume();

	/** Continues the rehearsal after a restart of the daemon. */
	function resume(): void {
		const kept = readKept(stateFile);
		if (kept === null) return;
		if (clock.wall().getTime() - Date.parse(kept.begun) > LONGEST_MS) return dropRunning();
		const progress: Progress = { name: kept.name, step: kept.step, missed: kept.missed, answers: kept.answers };
		start({ ...kept, run: kept.run + 1 }, progress);
		advance(afterSign(progress, 'restarted', presence));
	}

	function list(): ListedRehearsal[] {
		return REHEARSALS.map((name) => {
			const { title, needs } = SCRIPTS[name];
			return { name, title, possible: deps.devices[needs], last: lastOf(name) };
		});
	}

	function running(): RunningRehearsal | null {
		if (!now) return null;
		const { kept, progress } = now;
		const { title, steps } = SCRIPTS[kept.name];
		const step = stepOf(progress);
		return {
			name: kept.name,
			title,
			by: kept.by,
			step: Math.min(progress.step + 1, steps.length),
			says: steps.map(({ say }) => say),
			ask: step !== null && 'ask' in step ? step.ask : null,
			judging: step === null,
		};
	}

	const look = (): RehearsalLook => ({ running: running(), ended, list: list() });

	function refusalOf(name: string): RehearsalRefused | null {
		if (!isRehearsal(name)) return { code: 'no_rehearsal', reason: `There is no rehearsal ${name}: ${REHEARSALS.join(', ')}` };
		if (now) return { code: 'rehearsing', reason: `The rehearsal ${now.kept.name} is running. End it first: kioskctl rehearse stop` };
		if (deps.isPaying()) return { code: 'busy', reason: 'Not now: a customer is paying.' };
		const { needs } = SCRIPTS[name];
		if (!deps.devices[needs]) return { code: 'no_device', reason: `The settings have no [${needs}] section.` };
		if (key === null) return { code: 'no_key', reason: 'The kiosk has no key to sign the file with; its log says why (slip.no_key).' };
		return null;
	}

	function begin(name: RehearsalName, by: string): void {
		ended = null;
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		dropEntries(entriesFile);
		const begun = clock.wall().toISOString();
		start({ name, by, begun, record: deps.newestRecord(), run: 1, step: 0, missed: false, answers: {} }, begunProgress(name));
		log.event('rehearsal.begun', { name, by });
	}

	/** Records an answer and continues. @returns false if no question is open */
	function answer(value: number): boolean {
		const progress = now && afterAnswer(now.progress, value);
		const step = now && stepOf(now.progress);
		if (!now || !progress || !step || !('ask' in step)) return false;
		now.recorder.add({ from: 'person', ask: step.ask, value });
		advance(progress);
		return true;
	}

	return {
		hear(event) {
			const sign = signOf(event);
			if (sign !== null) presence = presenceAfter(presence, sign);
			if (!now) return;
			if (RECORDED_EVENTS.test(event.id)) now.recorder.add({ from: 'log', id: event.id, fields: cleanValue(event.fields) });
			if (now.recorder.isFull()) return abandon('more bytes came than a recording can hold');
			if (sign !== null) advance(afterSign(now.progress, sign, presence));
		},
		look,
		wish(wish) {
			if (wish.action === 'stop') abandon('the technician stopped it');
			else if (wish.action === 'begin') {
				const refused = refusalOf(wish.name);
				if (refused) return fail(refused);
				begin(wish.name as RehearsalName, wish.by);
			} else if (!answer(wish.value)) return fail({ code: 'not_asked', reason: 'No question is open now.' });
			return ok(look());
		},
		file(name) {
			if (!REHEARSALS.some((one) => filesOf(one).includes(name))) return null;
			return readFileSync(join(directory, name), 'utf8');
		},
		stop() {
			now?.cancel();
			now?.recorder.close();
			deps.tap(null);
		},
	};
}

function readKept(file: string): Kept | null {
	try {
		return v.parse(Kept, JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		// No rehearsal is running, or a power cut came before the first save.
		return null;
	}
}

type DatedRecord = { seq: number; time: string; record: JournalRecord };

/**
 * @returns the records after this number, oldest first. They are read through a separate database
 * handle.
 */
function recordsAfter(directory: string, record: number): Result<DatedRecord[], { code: string; message: string }> {
	const opened = readStore(directory);
	if (!opened.ok) return opened;
	try {
		const rows = opened.value.rows('SELECT seq, at, body FROM records WHERE seq > ? ORDER BY seq', record);
		return ok(
			rows.map(({ seq, at, body }) => ({
				seq: Number(seq),
				time: new Date(Number(at)).toISOString(),
				record: v.parse(JournalRecord, JSON.parse(String(body))),
			})),
		);
	} catch (error) {
		return fail({ code: 'unreadable', message: messageOf(error) });
	} finally {
		opened.value.close();
	}
}
