import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { OutletToken } from '../back-office/token.ts';
import type { Clock } from '../base/clock.ts';
import { type HashOf, hashPin, matchesPin, PinHash } from '../base/pin-hash.ts';
import { replaceFile } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';
import { accountKey } from '../journal/records.ts';
import type { Log } from '../log/log.ts';

const KEEP_MS = 30 * 86_400_000;
/**
 * If the clock is set back further than this, the PIN is not valid: a wrong clock must not extend
 * its validity. One hour allows for corrections of the clock.
 */
const CLOCK_SLACK_MS = 3_600_000;
/**
 * `at`: when the PIN was accepted, ms. `seen`: the latest time at which a PIN was compared with it,
 * ms; missing before the first comparison.
 */
const Stored = v.object({ ...PinHash.entries, account: v.string(), at: v.number(), seen: v.optional(v.number()) });

/**
 * The last PIN that the back office accepted for this outlet, as a salted hash, so that staff can
 * work without network for 30 days.
 */
export interface OfflinePin {
	/** Call it when the back office has accepted this PIN. */
	remember(pin: string): Promise<void>;
	/** Call it when the back office has refused this PIN, which it may have accepted before. */
	forget(pin: string): Promise<void>;
	/** @returns whether this is the last accepted PIN; null if no valid PIN is stored */
	matches(pin: string): Promise<boolean | null>;
}

/** @param deps.directory the daemon's state directory */
export function openOfflinePin(deps: {
	directory: string;
	token: Pick<OutletToken, 'current' | 'onChange'>;
	clock: Clock;
	log: Log;
	hashOf?: HashOf;
}): OfflinePin {
	const { token, clock, hashOf } = deps;
	const file = join(deps.directory, 'offline-pin.json');
	const account = (): string | null => accountKey(token.current()?.account ?? null);

	/** @returns the stored PIN of this outlet, even if the clock makes it invalid */
	function kept(): v.InferOutput<typeof Stored> | null {
		try {
			const stored = v.parse(Stored, JSON.parse(readFileSync(file, 'utf8')));
			return stored.account === account() ? stored : null;
		} catch {
			// Without a readable file, only the back office can check PINs.
			return null;
		}
	}

	function known(): v.InferOutput<typeof Stored> | null {
		const stored = kept();
		if (stored === null) return null;
		const now = clock.wall().getTime();
		const isSetBack = now < (stored.seen ?? stored.at) - CLOCK_SLACK_MS;
		return !isSetBack && now - stored.at < KEEP_MS ? stored : null;
	}

	async function matches(pin: string): Promise<boolean | null> {
		const stored = known();
		if (stored === null) return null;
		const now = clock.wall().getTime();
		if (now > (stored.seen ?? stored.at)) store({ ...stored, seen: now });
		return matchesPin(pin, stored, hashOf);
	}

	function store(pin: v.InferOutput<typeof Stored>): void {
		try {
			mkdirSync(deps.directory, { recursive: true, mode: 0o700 });
			replaceFile(file, JSON.stringify(pin));
		} catch (error) {
			deps.log.event('screen.pin_not_kept', { reason: messageOf(error) });
		}
	}

	function drop(): void {
		try {
			rmSync(file, { force: true });
		} catch (error) {
			deps.log.event('screen.pin_not_removed', { reason: messageOf(error) });
		}
	}

	token.onChange(() => {
		if (known() === null) drop();
	});

	return {
		async remember(pin) {
			const of = account();
			if (of === null) return;
			const hash = await hashPin(pin, hashOf);
			// The outlet has logged out meanwhile, so its PIN must stay deleted.
			if (account() !== of) return;
			store({ ...hash, account: of, at: clock.wall().getTime() });
		},
		async forget(pin) {
			// This deletes even a PIN that the present clock makes invalid: the clock may be wrong, and
			// after a correction the PIN would be valid again.
			const stored = kept();
			if (stored && (await matchesPin(pin, stored, hashOf))) drop();
		},
		matches,
	};
}
