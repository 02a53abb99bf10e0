import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PromoVideo } from '@kiosk/contract/back-office';
import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';
import { replaceFile } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';
import type { Download } from '../http/download.ts';
import { parseJson } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { type CallBackOffice, ownHeaders } from './client.ts';
import { downloadFilm, type Film, filmFile, type KeptFilm } from './film-download.ts';
import type { OutletToken } from './token.ts';

/** Pause between two checks. Films change with campaigns, which last for days. */
const LOOK_MS = 6 * 3_600_000;
/** Pause after a failure, which is usually a network outage. */
const RETRY_MS = 10 * 60_000;
/**
 * Free space kept in addition to the journal's need, because the journal grows during the download.
 */
const MARGIN_BYTES = 64 * 1024 * 1024;

const Kept: v.GenericSchema<unknown, KeptFilm> = v.strictObject({
	address: v.string(),
	etag: v.nullable(v.pipe(v.string(), v.regex(/^[\x20-\x7e]*$/))),
	size: v.number(),
	type: v.picklist(['video/mp4', 'video/webm']),
	version: v.pipe(v.string(), v.uuid()),
});

/**
 * Keeps the back office's promo film on disk, so that it plays offline and immediately after a
 * start.
 */
export interface FilmKeeper {
	current(): Film | null;
	stop(): void;
}

export interface FilmKeeperDeps {
	/** Folder used only for films; created if missing. */
	directory: string;
	call: CallBackOffice;
	/** Path of the call that names the film. */
	path: string;
	csrf: { csrf_cookie: string; csrf_header: string };
	token: OutletToken;
	download: Download;
	/** Free space that the journal needs, bytes. */
	minFreeBytes: number;
	clock: Clock;
	log: Log;
	/** Called when a film was stored or removed. */
	onChanged: () => void;
}

export function startFilmKeeper(deps: FilmKeeperDeps): FilmKeeper {
	const { directory, clock, log } = deps;
	let kept = openDirectory(directory);
	let looking = new AbortController();
	let cancelNext = () => {};

	/**
	 * Cancels a check in progress and begins a new one: asks for the film's address, and then
	 * downloads, keeps or removes the film.
	 */
	async function checkForFilm(): Promise<void> {
		looking.abort();
		cancelNext();
		const session = deps.token.current();
		if (!session) return;
		looking = new AbortController();
		const { signal } = looking;
		cancelNext = clock.after(LOOK_MS, checkForFilm);
		try {
			await follow(await askForFilm(session.token.reveal(), signal), signal);
		} catch (error) {
			if (signal.aborted) return;
			log.event('film.failed', { reason: messageOf(error), retry_ms: RETRY_MS });
			cancelNext();
			cancelNext = clock.after(RETRY_MS, checkForFilm);
		}
	}

	/** @returns the address named by the back office; '' if it names none */
	async function askForFilm(token: string, signal: AbortSignal): Promise<string> {
		const answer = await deps.call({ method: 'GET', path: deps.path, headers: ownHeaders(token, deps.csrf), signal });
		if (!answer.ok) throw new Error(answer.error.message);
		const { status, body } = answer.value;
		if (status !== 200) throw new Error(`the back office answers ${status}`);
		const named = parseJson(PromoVideo, body);
		if (!named.ok) throw new Error(named.error.reason);
		return named.value;
	}

	async function follow(address: string, signal: AbortSignal): Promise<void> {
		if (address === '') {
			if (kept) keep(null);
			return;
		}
		const reserveBytes = deps.minFreeBytes + MARGIN_BYTES;
		const film = await downloadFilm({ address, kept, directory, reserveBytes, download: deps.download, clock, signal });
		if (film) keep(film);
	}

	function keep(film: KeptFilm | null): void {
		if (film) replaceFile(recordFile(directory), JSON.stringify(film));
		else rmSync(recordFile(directory), { force: true });
		kept = film;
		removeOthers(directory, film);
		// The query string is not logged, because it often contains a key.
		if (film) log.event('film.kept', { address: film.address.split('?')[0], bytes: film.size });
		else log.event('film.removed', {});
		deps.onChanged();
	}

	deps.token.onChange(() => void checkForFilm());
	void checkForFilm();
	return {
		current: () => kept && { file: filmFile(directory, kept.version), size: kept.size, type: kept.type, version: kept.version },
		stop() {
			looking.abort();
			cancelNext();
		},
	};
}

const recordFile = (directory: string): string => join(directory, 'film.json');

/**
 * Deletes the files that a crash has left in the folder. @returns the complete film in the folder,
 * or null
 */
function openDirectory(directory: string): KeptFilm | null {
	const kept = readRecord(directory);
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		removeOthers(directory, kept);
	} catch {
		// If the disk cannot be written, the first download reports this.
	}
	return kept;
}

function readRecord(directory: string): KeptFilm | null {
	try {
		const kept = v.parse(Kept, JSON.parse(readFileSync(recordFile(directory), 'utf8')));
		return statSync(filmFile(directory, kept.version)).size === kept.size ? kept : null;
	} catch {
		// The record or its film is missing or damaged: the next check downloads the film.
		return null;
	}
}

function removeOthers(directory: string, kept: KeptFilm | null): void {
	const wanted = kept ? [recordFile(directory), filmFile(directory, kept.version)] : [];
	for (const name of readdirSync(directory)) {
		const file = join(directory, name);
		if (!wanted.includes(file)) rmSync(file, { force: true });
	}
}
