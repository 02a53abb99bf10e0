import dayjs from 'dayjs';
import { explainNetwork } from '../back-office/network-messages.ts';
import { isOtherServer } from '../setup/settings-seal.ts';
import { clockDoubt } from './clock-trust.ts';
import { HELD } from './host-checks.ts';
import type { HealthDeps, PartNow } from './report.ts';

/**
 * Health warns this many days before the certificate expires. Automatic renewal usually happens 30
 * days before expiry, so it has probably failed then.
 */
const SOON_DAYS = 21;
/**
 * How long health shows an unreadable or contradictory answer: longer than a pause between two
 * customers.
 */
const UNREAD_MS = 30 * 60_000;

export function backOffice(of: HealthDeps): PartNow {
	const part = 'back office';
	if (isOtherServer(of.unconfirmedSettings()))
		return { part, state: 'fail', code: 'held', text: `nothing is sent to ${of.backOfficeUrl}`, ...HELD };
	const session = of.token.current();
	const failing = of.office.probe()?.problem ?? of.office.failure()?.message ?? null;
	if (!session) {
		const text = 'no outlet account is logged in';
		if (failing === null) return { part, state: 'fail', code: 'logged_out', text, why: '', remedy: 'Log in on the screen.' };
		const { cause, remedy } = explainNetwork(failing);
		return { part, state: 'fail', code: 'logged_out', text, why: cause, remedy: `${remedy} Then log in on the screen.` };
	}
	if (session.refused)
		return {
			part,
			state: 'fail',
			code: 'token_refused',
			text: 'the outlet token is refused (401)',
			why: 'it has expired, or the account was changed or closed',
			remedy: 'Log in again on the screen. Notes wait until then; nothing is lost.',
		};
	if (!of.link.isConnected()) {
		const { cause, remedy } = explainNetwork(failing ?? of.link.lastFailure() ?? '');
		return {
			part,
			state: 'warn',
			code: 'closed',
			text: `live socket closed, ${of.backOfficeUrl}`,
			why: cause,
			remedy: `${remedy} Cash still works; notes are sent later.`,
		};
	}
	const failure = of.office.failure();
	const text = `live socket open, ${of.backOfficeUrl}`;
	const unread = of.remarks.unread();
	const isRecent = ({ at }: { at: string }) => of.clock.wall().getTime() - Date.parse(at) < UNREAD_MS;
	if (failure === null && unread !== null && isRecent(unread))
		return {
			part,
			state: 'warn',
			code: 'unreadable',
			text,
			why: `the answer to ${unread.call} at ${unread.at.slice(11, 19)} could not be read: ${unread.reason}`,
			remedy: 'Customers may be unable to pay. Report it to the owner’s server team, with docs/developer/back-office.md.',
		};
	const contradiction = of.remarks.contradiction();
	if (failure === null && contradiction !== null && isRecent(contradiction))
		return {
			part,
			state: 'warn',
			code: `contradiction ${contradiction.invoice}`,
			text,
			why: `the answer at ${contradiction.at.slice(11, 19)} about ${contradiction.invoice} contradicts itself: ${contradiction.reason}`,
			remedy: 'No money is taken for this invoice until it is corrected in the back office.',
		};
	if (failure === null) return { part, state: 'ok', code: 'open', text, why: '', remedy: '' };
	const { cause, remedy } = explainNetwork(failure.message);
	return { part, state: 'warn', code: 'errors', text, why: `the last call, at ${failure.at.slice(11, 19)}, failed: ${cause}`, remedy };
}

/** @returns the part about the back office's certificate; none if the address does not use TLS */
export function certificate(of: HealthDeps): PartNow[] {
	const probe = of.office.probe();
	if (!of.backOfficeUrl.startsWith('https:')) return [];
	const part = 'certificate';
	if (!probe?.certificate)
		return [
			{ part, state: 'unknown', code: 'unseen', text: 'not seen yet: no TLS connection to the back office so far', why: '', remedy: '' },
		];
	const { valid_to, issuer } = probe.certificate;
	const days = Math.floor(dayjs(valid_to).diff(of.clock.wall(), 'day', true));
	const text = `valid until ${valid_to.slice(0, 10)} (${days < 0 ? `${-days} days ago` : `${days} days`}), from ${issuer || 'an unnamed issuer'}`;
	const soon = 'Ask the owner’s server team to renew it; the kiosk needs no change unless the authority changes.';
	if (probe.problem !== null) {
		const { cause, remedy } = explainNetwork(probe.problem);
		return [{ part, state: 'fail', code: 'untrusted', text, why: cause, remedy }];
	}
	if (days < SOON_DAYS) return [{ part, state: 'warn', code: 'soon', text, why: '', remedy: soon }];
	return [{ part, state: 'ok', code: 'ok', text, why: '', remedy: '' }];
}

export function clock(of: HealthDeps, synchronised: boolean | null): PartNow {
	const part = 'clock';
	const ahead = of.office.aheadMs();
	const doubt = clockDoubt(of.clock.wall(), ahead, synchronised);
	const now = of.now();
	const remedy =
		'Check that a time server can be reached (UDP 123): timedatectl timesync-status. A clock that is wrong after each power cut needs a new battery.';
	if (doubt === 'before')
		return {
			part,
			state: 'fail',
			code: doubt,
			text: `it shows ${now}, which is impossible`,
			why: 'most likely its battery is empty and there is no network time yet',
			remedy,
		};
	if (doubt === 'differs' && ahead !== null) {
		const minutes = Math.round(Math.abs(ahead) / 60_000);
		const text = `it shows ${now}, ${minutes} min ${ahead > 0 ? 'behind' : 'ahead of'} the back office`;
		return { part, state: 'warn', code: doubt, text, why: '', remedy };
	}
	const agrees = ahead === null ? '' : `, ${Math.abs(Math.round(ahead / 1_000))} s from the back office’s`;
	if (synchronised === true) return { part, state: 'ok', code: 'synchronised', text: `set by network time${agrees}`, why: '', remedy: '' };
	if (ahead !== null) return { part, state: 'ok', code: 'agrees', text: `right${agrees}`, why: '', remedy: '' };
	if (doubt === 'waiting') return { part, state: 'warn', code: doubt, text: 'network time has not set it yet', why: '', remedy };
	return {
		part,
		state: 'unknown',
		code: 'unknown',
		text: `it shows ${now.slice(0, 16).replace('T', ' ')}; there is no source to check it against`,
		why: '',
		remedy: '',
	};
}
