/**
 * The signed manifest that an update server publishes for one channel. Every kiosk reads the same
 * file.
 */
import { parseBoundedJson } from '@kiosk/contract/bounded-json';
import * as v from 'valibot';
import { fail, ok, type Result } from '../base/result.ts';
import { isPublishable } from './version.ts';

/** Manifests of another format are refused. */
export const MANIFEST_FORMAT = 1;
/** Maximum size of a manifest. With long release notes a manifest has about 20 kB. */
export const LARGEST_MANIFEST_BYTES = 256 * 1024;
const LARGEST_NOTES = 16_384;

/**
 * Maximum sizes in bytes. In the image, root has 1400 MiB and verity 24 MiB; the ESP has 512 MB.
 */
const LARGEST_FILE = { root: 4 * 1024 ** 3, verity: 64 * 1024 ** 2, uki: 240 * 1024 ** 2 };

const version = v.pipe(v.string(), v.check(isPublishable, 'a version that systemd-sysupdate can match'));
const time = v.pipe(v.string(), v.isoTimestamp());
const wholeFrom = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const channel = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/));
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** `root.gz` and `verity.gz` are compressed copies for servers that do not support ranges. */
const KINDS = ['root', 'verity', 'uki', 'root.gz', 'verity.gz'] as const;
export type FileKind = (typeof KINDS)[number];

const File = v.object({
	// The name must be plain, because a path or an address could lead to another server.
	name: v.pipe(v.string(), v.regex(/^kiosk_[0-9A-Za-z][0-9A-Za-z.,_+-]{0,150}$/)),
	bytes: wholeFrom(1, LARGEST_FILE.root),
	sha256: digest,
	kind: v.picklist(KINDS),
});
export type ManifestFile = v.InferOutput<typeof File>;

// Unknown fields are ignored, because later versions may add fields.
const Manifest = v.object({
	format: v.literal(MANIFEST_FORMAT),
	channel,
	version,
	/** Kiosks with an older version need the intermediate release first. */
	min_version: v.optional(version),
	/**
	 * Once this manifest's version has passed its trial, the kiosk refuses versions below the floor.
	 */
	floor: v.optional(version),
	released_at: time,
	/**
	 * `not_before` and `expires` count only while network time has set the clock, and not for files
	 * that a person brings.
	 */
	not_before: v.optional(time),
	expires: v.optional(time),
	rollout: v.object({ percent: wholeFrom(0, 100), seed: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) }),
	/** Replaces the settings' hours. */
	window: v.optional(v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/))),
	/** `security`: the restart may happen on any day of the week. */
	severity: v.optional(v.picklist(['routine', 'security']), 'routine'),
	journal: v.object({ reads: wholeFrom(1, 10_000), writes: wholeFrom(1, 10_000) }),
	files: v.pipe(v.array(File), v.minLength(3), v.maxLength(KINDS.length)),
	notes: v.optional(v.object({ id: v.pipe(v.string(), v.maxLength(LARGEST_NOTES)), en: v.pipe(v.string(), v.maxLength(LARGEST_NOTES)) }), {
		id: '',
		en: '',
	}),
	/** Stops the roll-out. */
	hold: v.optional(v.boolean(), false),
	/**
	 * Bad versions. Kiosks refuse them. A kiosk that runs a bad version updates regardless of the
	 * percentage.
	 */
	failed: v.optional(v.pipe(v.array(version), v.maxLength(100)), []),
	/** Number of automatic retries on a kiosk where this version has failed. */
	retry: v.optional(wholeFrom(0, 5), 0),
	/**
	 * The intermediate release for kiosks that are too old for this version, and the hash of the
	 * intermediate manifest.
	 */
	stepping_stone: v.optional(v.object({ version, sha256: digest })),
});
export type Manifest = v.InferOutput<typeof Manifest>;

export interface ManifestRefused {
	code: 'manifest';
	message: string;
}

/** @param bytes of a file whose signature has been checked */
export function parseManifest(bytes: Buffer): Result<Manifest, ManifestRefused> {
	let json: unknown;
	try {
		json = parseBoundedJson(bytes.toString('utf8'));
	} catch {
		return refused('the manifest is not JSON');
	}
	const parsed = v.safeParse(Manifest, json);
	if (!parsed.success) {
		const [issue] = parsed.issues;
		return refused(`the manifest’s ${v.getDotPath(issue) ?? 'form'}: ${issue.message}`.slice(0, 200));
	}
	const problem = problemOfFiles(parsed.output);
	return problem === null ? ok(parsed.output) : refused(problem);
}

const refused = (message: string) => fail({ code: 'manifest' as const, message });

const UUID = '[0-9a-f]{8}(-?)[0-9a-f]{4}\\1[0-9a-f]{4}\\1[0-9a-f]{4}\\1[0-9a-f]{12}';
const NAME_ENDS: Record<FileKind, RegExp> = {
	root: new RegExp(`^_${UUID}\\.root\\.raw$`),
	'root.gz': new RegExp(`^_${UUID}\\.root\\.raw\\.gz$`),
	verity: new RegExp(`^_${UUID}\\.verity\\.raw$`),
	'verity.gz': new RegExp(`^_${UUID}\\.verity\\.raw\\.gz$`),
	uki: /^\.efi$/,
};

/** @returns the first problem of the listed files, or null */
function problemOfFiles({ version, files }: Manifest): string | null {
	const begin = `kiosk_${version}`;
	for (const kind of KINDS) {
		const found = files.filter((file) => file.kind === kind);
		if (found.length > 1) return `the manifest names two files of kind ${kind}`;
		const [file] = found;
		if (file === undefined) {
			if (kind === 'root' || kind === 'verity' || kind === 'uki') return `the manifest names no file of kind ${kind}`;
			continue;
		}
		if (!file.name.startsWith(begin) || !NAME_ENDS[kind].test(file.name.slice(begin.length)))
			return `${file.name} is not the name of a ${kind} file of version ${version}`;
		const most = LARGEST_FILE[kind.replace('.gz', '') as keyof typeof LARGEST_FILE];
		if (file.bytes > most) return `${file.name} has ${file.bytes} bytes; at most ${most} are possible`;
	}
	return null;
}

/** @param kind one of the required kinds */
export function fileOf(manifest: Manifest, kind: 'root' | 'verity' | 'uki'): ManifestFile {
	const found = manifest.files.find((file) => file.kind === kind);
	if (found === undefined) throw new Error(`a parsed manifest names no ${kind}`);
	return found;
}
