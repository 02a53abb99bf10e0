import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { PromoVideo } from '../../contract/back-office.ts';
import type { Clock } from '../clock.ts';
import type { Download } from '../download.ts';
import type { Log } from '../log/log.ts';
import { replaceFile } from '../replace-file.ts';
import { messageOf } from '../result.ts';
import { parseJson } from '../screen/http.ts';
import type { Film } from '../screen/promo.ts';
import { type CallBackOffice, ownHeaders } from './client.ts';
import { downloadFilm, filmFile, type KeptFilm } from './film-download.ts';
import type { OutletToken } from './token.ts';

/** A film changes with a campaign, not within a day. */
const LOOK_MS = 6 * 3_600_000;
/** After a failure, whose cause is mostly a network that comes back. */
const RETRY_MS = 10 * 60_000;
/** Stays free beside what the journal needs: the journal grows while the film is fetched. */
const MARGIN_BYTES = 64 * 1024 * 1024;

const Kept: v.GenericSchema<unknown, KeptFilm> = v.strictObject({
	address: v.string(),
	etag: v.nullable(v.pipe(v.string(), v.regex(/^[\x20-\x7e]*$/))),
	size: v.number(),
	type: v.picklist(['video/mp4', 'video/webm']),
	version: v.pipe(v.string(), v.uuid()),
});

/** Keeps the promo film of the back office on disk, so that it plays without network and from the first second after a start. */
export interface FilmKeeper {
	current(): Film | null;
	stop(): void;
}

export interface FilmKeeperParts {
	/** Of its own; made if missing. */
	directory: string;
	call: CallBackOffice;
	/** Of the call that names the film. */
	path: string;
	csrf: { csrf_cookie: string; csrf_header: string };
	token: OutletToken;
	download: Download;
	/** Free space that the journal needs. */
	minFreeBytes: number;
	clock: Clock;
	log: Log;
	/** Another film is there, or none any more. */
	changed: () => void;
}

export function startFilmKeeper(parts: FilmKeeperParts): FilmKeeper {
	const { directory, clock, log } = parts;
	let kept = openDirectory(directory);
	let looking = new AbortController();
	let cancelNext = () => {};

	/** Asks which film it is to be and fetches it if it is not the kept one. A look that still runs is given up. */
	async function look(): Promise<void> {
		looking.abort();
		cancelNext();
		const session = parts.token.current();
		if (!session) return;
		looking = new AbortController();
		const { signal } = looking;
		cancelNext = clock.after(LOOK_MS, look);
		try {
			await follow(await namedFilm(session.token.reveal(), signal), signal);
		} catch (error) {
			if (signal.aborted) return;
			log.event('film.failed', { reason: messageOf(error), retry_ms: RETRY_MS });
			cancelNext();
			cancelNext = clock.after(RETRY_MS, look);
		}
	}

	/** @returns the address that the back office names, '' for none */
	async function namedFilm(token: string, signal: AbortSignal): Promise<string> {
		const answer = await parts.call({ method: 'GET', path: parts.path, headers: ownHeaders(token, parts.csrf), signal });
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
		const reserveBytes = parts.minFreeBytes + MARGIN_BYTES;
		const film = await downloadFilm({ address, kept, directory, reserveBytes, download: parts.download, clock, signal });
		if (film) keep(film);
	}

	function keep(film: KeptFilm | null): void {
		if (film) replaceFile(recordFile(directory), JSON.stringify(film));
		else rmSync(recordFile(directory), { force: true });
		kept = film;
		removeOthers(directory, film);
		// What stands behind the question mark is often a key.
		if (film) log.event('film.kept', { address: film.address.split('?')[0], bytes: film.size });
		else log.event('film.removed', {});
		parts.changed();
	}

	parts.token.onChange(() => void look());
	void look();
	return {
		current: () => kept && { file: filmFile(directory, kept.version), size: kept.size, type: kept.type, version: kept.version },
		stop() {
			looking.abort();
			cancelNext();
		},
	};
}

const recordFile = (directory: string): string => join(directory, 'film.json');

/** @returns the film that is there whole; whatever else lies in the folder was left by a crash and is removed */
function openDirectory(directory: string): KeptFilm | null {
	const kept = recorded(directory);
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		removeOthers(directory, kept);
	} catch {
		// A disk that cannot be written is said by the first download, and stops nothing else.
	}
	return kept;
}

function recorded(directory: string): KeptFilm | null {
	try {
		const kept = v.parse(Kept, JSON.parse(readFileSync(recordFile(directory), 'utf8')));
		return statSync(filmFile(directory, kept.version)).size === kept.size ? kept : null;
	} catch {
		// No record, or one without its film: the next look fetches it.
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
