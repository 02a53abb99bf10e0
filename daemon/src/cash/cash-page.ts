import { type Id, sameId } from '@kiosk/contract/back-office';
import type { Clock } from '../base/clock.ts';
import type { Payment } from '../journal/records.ts';

/** What a screen has drawn last. `id`: the invoice that it shows, if any. */
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
 * On a slow PC, the last report of the previous page can arrive after the first one of the cash
 * page. The cash page reports every 5 s, so after three missed reports the page counts as left. No
 * note is taken meanwhile.
 */
const ELSEWHERE_MS = 15_000;
/** One panel and pages that were replaced. */
const MOST_SCREENS = 8;

/** Watches whether the screen that opened the machine shows the cash page of its invoice. */
export interface CashPage {
	/** The machine was opened. @returns whether this screen already shows the page */
	open(session: string, payment: Payment): boolean;
	/** A screen has drawn a frame; ignored unless it opened the machine. */
	onDrawn(drawn: Drawn): void;
	/**
	 * The screen that opened the machine lost its socket: its page is unknown until it draws again.
	 */
	onGone(): void;
	close(): void;
	/** Session of the screen that opened the machine; null while it is closed. */
	session(): string | null;
}

/**
 * @param deps.frozenMs a page that has drawn nothing for this long counts as not shown, ms
 * @param deps.onShown called when the page is shown again or no longer; for the opening, `open`
 * returns it
 * @param deps.onLeft called when the screen shows another page and has not come back
 */
export function watchCashPage(deps: { clock: Clock; frozenMs: number; onShown: (shows: boolean) => void; onLeft: () => void }): CashPage {
	const { clock, frozenMs } = deps;
	let opened: { session: string; payment: Payment } | null = null;
	/** Whether the page counts as shown, and when it was last drawn, monotonic ms. */
	let shown = false;
	let drawnAt = 0;
	/** The last frame of each screen. */
	const drawings = new Map<string, Drawn & { at: number }>();
	let cancel = () => {};

	function watch(): void {
		cancel();
		const left = drawnAt + frozenMs - clock.now();
		if (left <= 0) return setShown(false);
		cancel = clock.after(left, watch);
	}

	function setShown(now: boolean): void {
		shown = now;
		deps.onShown(now);
	}

	/** Reports of two routes may arrive in the wrong order, so the cash page may still follow. */
	function onElsewhere(): void {
		cancel();
		setShown(false);
		const seen = drawnAt;
		cancel = clock.after(ELSEWHERE_MS, () => {
			if (drawnAt === seen) deps.onLeft();
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
		onDrawn(drawn) {
			drawings.delete(drawn.session);
			drawings.set(drawn.session, { ...drawn, at: clock.now() });
			for (const oldest of drawings.keys()) {
				if (drawings.size <= MOST_SCREENS) break;
				drawings.delete(oldest);
			}
			if (opened?.session !== drawn.session) return;
			if (isCashPage(drawn, opened.payment)) {
				drawnAt = clock.now();
				if (!shown) setShown(true);
				watch();
			} else if (shown) onElsewhere();
			// Before the first frame, the previous route may still report.
		},
		onGone() {
			if (!opened) return;
			drawings.delete(opened.session);
			cancel();
			if (shown) setShown(false);
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
