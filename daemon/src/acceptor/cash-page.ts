import { type Id, sameId } from '../../contract/back-office.ts';
import type { Clock } from '../clock.ts';
import type { Payment } from '../journal/records.ts';

/** What one screen has drawn: `id` names the invoice that it shows, where it shows one. */
export interface Drawn {
	/** The screen's session with the daemon. */
	session: string;
	/** Its route. */
	screen: string;
	id: Id | null;
}

/** The route on which notes are taken. */
export const CASH_ROUTE = '/cash-payment';
/**
 * On a slow PC the last report of the page that was left can arrive after the first one of the cash
 * page. The cash page reports every 5 s, so three beats tell a late report from a page that was left.
 * The machine takes no note meanwhile.
 */
const ELSEWHERE_MS = 15_000;
/** One panel, and pages that were replaced. */
const MOST_SCREENS = 8;

/** Watches whether the screen that opened the machine shows the cash page of its invoice. */
export interface CashPage {
	/** The machine is opened. @returns whether this screen shows the page already */
	open(session: string, payment: Payment): boolean;
	/** A screen has shown a frame; another one than that which opened the machine changes nothing. */
	drawn(drawn: Drawn): void;
	/** The socket of the screen that opened the machine has gone: what it shows is not known until it draws again. */
	gone(): void;
	close(): void;
	/** The session of the screen that opened the machine; null while it is closed. */
	session(): string | null;
}

/**
 * @param parts.frozenMs a page that has drawn nothing for so long shows nothing any more, ms
 * @param parts.shows told when the page is shown again, or no longer; the opening tells it by its result
 * @param parts.left the screen shows something else and has not come back
 */
export function watchCashPage(parts: { clock: Clock; frozenMs: number; shows: (shows: boolean) => void; left: () => void }): CashPage {
	const { clock, frozenMs } = parts;
	let opened: { session: string; payment: Payment } | null = null;
	/** Whether the page counts as shown, and when it was drawn last, monotonic ms. */
	let shown = false;
	let drawnAt = 0;
	/** What each screen has drawn last. */
	const drawings = new Map<string, Drawn & { at: number }>();
	let cancel = () => {};

	function watch(): void {
		cancel();
		const left = drawnAt + frozenMs - clock.now();
		if (left <= 0) return become(false);
		cancel = clock.after(left, watch);
	}

	function become(now: boolean): void {
		shown = now;
		parts.shows(now);
	}

	/** Reports of two routes may overtake each other, so the cash page may still follow. */
	function elsewhere(): void {
		cancel();
		become(false);
		const seen = drawnAt;
		cancel = clock.after(ELSEWHERE_MS, () => {
			if (drawnAt === seen) parts.left();
		});
	}

	return {
		open(session, payment) {
			cancel();
			opened = { session, payment };
			const drawing = drawings.get(session);
			shown = drawing !== undefined && isCashPage(drawing, payment) && clock.now() - drawing.at < frozenMs;
			if (shown && drawing) {
				drawnAt = drawing.at;
				watch();
			}
			return shown;
		},
		drawn(drawn) {
			drawings.delete(drawn.session);
			drawings.set(drawn.session, { ...drawn, at: clock.now() });
			for (const oldest of drawings.keys()) {
				if (drawings.size <= MOST_SCREENS) break;
				drawings.delete(oldest);
			}
			if (opened?.session !== drawn.session) return;
			if (isCashPage(drawn, opened.payment)) {
				drawnAt = clock.now();
				if (!shown) become(true);
				watch();
			} else if (shown) elsewhere();
			// Before the first frame the route that was left may still report itself.
		},
		gone() {
			if (!opened) return;
			drawings.delete(opened.session);
			cancel();
			if (shown) become(false);
		},
		close() {
			cancel();
			opened = null;
			shown = false;
		},
		session: () => opened?.session ?? null,
	};
}

const isCashPage = ({ screen, id }: Drawn, payment: Payment): boolean => screen === CASH_ROUTE && sameId(id, payment.id);
