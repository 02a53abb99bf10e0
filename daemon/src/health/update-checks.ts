import { NOT_YET, type UpdateFacts } from '../update/watch.ts';
import type { PartNow } from './report.ts';

const DAY_MS = 86_400_000;
/** Health warns from this age of the image: Chromium has security releases every few weeks. */
const OLD_DAYS = 60;
/**
 * Health warns after this many days without a successful check for updates. The kiosk checks three
 * or four times a day.
 */
const SILENT_DAYS = 7;
/**
 * Health warns if an update has waited this many days for its restart. Usually it waits for one
 * night.
 */
const WAITING_DAYS = 3;

/**
 * @param now wall clock
 * @returns the part about updates; none on a system that is not a kiosk image
 */
export function update({ state, image, on }: UpdateFacts, now: Date): PartNow[] {
	if (image.version === null) return [];
	const part = 'update';
	const of = (code: string, text: string): PartNow => ({ part, state: 'ok', code, text, why: '', remedy: '' });
	const warn = (code: string, text: string, why: string, remedy: string): PartNow => ({ part, state: 'warn', code, text, why, remedy });
	if (state === null) return [on ? of('none', 'no update yet') : { ...of('off', 'off: the settings name no server'), state: 'off' }];
	const { version, reason, text } = state;
	switch (state.state) {
		case 'failed':
			return [
				warn(
					'failed',
					state.history.at(-1)?.tries === 0
						? `version ${version} could not be installed; ${image.version} still runs`
						: `version ${version} failed its trial; ${image.version} runs again`,
					text || reason,
					'Run kioskctl update history and report its output to the vendor.',
				),
			];
		case 'rolled_back':
			return [
				warn(
					'rolled_back',
					`a person returned from ${version} to ${image.version}`,
					'',
					'When the problem that led to the return is solved, install a newer version.',
				),
			];
		case 'refused':
			if (NOT_YET.has(reason)) return [of(reason, `version ${version} is not taken now: ${text}`)];
			return [
				warn(
					`refused_${reason}`,
					`version ${version ?? 'unknown'} was refused`,
					text,
					'Compare the published files with the release; kioskctl update status.',
				),
			];
		case 'written':
		case 'waiting':
			if (daysSince(state.since, now) >= WAITING_DAYS)
				return [
					warn(
						'waits',
						`version ${version} has waited ${daysSince(state.since, now)} days for its restart`,
						text,
						'Keep the kiosk free of payments in its update hours, or restart it.',
					),
				];
			return [of('waiting', `version ${version} is ready and waits for its restart${text && `: ${text}`}`)];
		case 'idle':
		case 'checking':
		case 'good': {
			const days = state.checked === null ? null : daysSince(state.checked, now);
			if (on && days !== null && days >= SILENT_DAYS)
				return [
					warn(
						'silent',
						`the update server has not been reached for ${days} days`,
						text,
						'Check [update] url and the network, then run kioskctl update check.',
					),
				];
			return [of('current', `up to date with ${image.version}`)];
		}
		default:
			return [of(state.state, `${state.state} version ${version}`)];
	}
}

/**
 * @returns the part about the age of the image, which needs no network; none on a system that is
 * not a kiosk image
 */
export function image({ image }: UpdateFacts, now: Date): PartNow[] {
	const { version, built, chromium } = image;
	if (version === null || built === null) return [];
	const part = 'image';
	const age = daysSince(built.toISOString(), now);
	// A clock with an empty battery may show a time before the build. Then the image must not appear
	// new.
	if (age < 0)
		return [
			{ part, state: 'unknown', code: 'clock', text: `${version}; its age is not known while the clock is wrong`, why: '', remedy: '' },
		];
	const browser =
		chromium === null ? '' : `; its Chromium ${chromium.version} is ${daysSince(chromium.released.toISOString(), now)} days old`;
	const text = `${version} is ${age} days old${browser}`;
	if (age < OLD_DAYS) return [{ part, state: 'ok', code: 'ok', text, why: '', remedy: '' }];
	const why = 'the browser has had security releases since';
	return [
		{
			part,
			state: 'warn',
			code: 'old',
			text,
			why,
			remedy: 'Install a newer version: [update] in the settings, or kioskctl update install.',
		},
	];
}

const daysSince = (time: string, now: Date): number => Math.floor((now.getTime() - Date.parse(time)) / DAY_MS);
