import type { Id } from '@kiosk/contract/back-office';
import { sameId } from '@kiosk/contract/same-id';
import type { Clock } from '../base/clock.ts';
import type { Payment } from '../journal/records.ts';

/** A screen's last frame. `id`: the invoice that it shows, if any. */
export interface Drawn {
	/** The screen's session with the daemon. */
	session: string;
	/** The screen's route. */
	screen: string;
	id: Id | null;
}

/** The route on which notes are taken. */
export const CASH_ROUTE = '/cash-payment';
/**
 * If another page is reported and the cash page is not reported within this time, the customer
 * counts as having left the cash page. A page reports every 5 s. On a slow PC, the previous page's
 * last report can arrive after the cash page's first report. No note is taken while the kiosk
 * waits.
 */
const ELSEWHERE_MS = 15_000;
/**
 * Maximum number of screens whose last frame is kept: the panel's present page and earlier pages.
 */
const MOST_SCREENS = 8;

/** Dependencies of `CashPage`. */
export interface CashPageDeps {
	clock: Clock;
	/** A page that has drawn nothing for this long counts as not shown, ms. */
	frozenMs: number;
	/**
	 * @returns whether the newest look-up was of another invoice that has this payment's id. The page
	 * then shows that invoice
	 */
	isIdReused: (payment: Payment) => boolean;
	/** Called when the page becomes shown or stops being shown. `open` returns the first state. */
	onShown: (shown: boolean) => void;
	/**
	 * Called when the screen has shown another page and has not returned within `ELSEWHERE_MS`, or
	 * has not shown the cash page at all.
	 */
	onLeft: () => void;
}

/** Watches whether the screen that opened the acceptor shows the cash page of its invoice. */
export class CashPage {
	readonly #deps: CashPageDeps;
	#opened: { session: string; payment: Payment } | null = null;
	/** Whether the page counts as shown. */
	#shown = false;
	/** When the page was last drawn, monotonic ms. */
	#drawnAt = 0;
	/** Whether a report of another page means that the customer leaves the cash page. */
	#mayLeave = false;
	/** The last frame of each screen. */
	readonly #drawings = new Map<string, Drawn & { at: number }>();
	#cancel = () => {};

	constructor(deps: CashPageDeps) {
		this.#deps = deps;
	}

	/** Called when the acceptor opens. @returns whether this screen already shows the cash page */
	open(session: string, payment: Payment): boolean {
		const { clock, frozenMs } = this.#deps;
		this.#cancel();
		this.#opened = { session, payment };
		const drawing = this.#drawings.get(session);
		this.#shown = drawing !== undefined && this.#isCashPage(drawing, payment) && clock.now() - drawing.at < frozenMs;
		// Until the cash page's first frame, reports of the previous page may still arrive.
		this.#mayLeave = this.#shown;
		if (this.#shown && drawing) {
			this.#drawnAt = drawing.at;
			this.#watch();
		} else
			this.#cancel = clock.after(ELSEWHERE_MS, () => {
				this.#mayLeave = true;
				// A page that has vanished never draws, so its payment would stay open.
				this.#cancel = clock.after(frozenMs, this.#deps.onLeft);
			});
		return this.#shown;
	}

	/**
	 * Called when a screen has drawn a frame. The frame affects the payment only if this screen
	 * opened the acceptor.
	 */
	onDrawn(drawn: Drawn): void {
		const now = this.#deps.clock.now();
		this.#remember(drawn, now);
		if (this.#opened?.session !== drawn.session) return;
		if (this.#isCashPage(drawn, this.#opened.payment)) {
			this.#drawnAt = now;
			this.#mayLeave = true;
			if (!this.#shown) this.#setShown(true);
			this.#watch();
		} else if (this.#mayLeave) this.#onElsewhere();
	}

	/**
	 * Called when the screen that opened the acceptor disconnects: its page is unknown until it draws
	 * again.
	 */
	onGone(): void {
		if (!this.#opened) return;
		this.#drawings.delete(this.#opened.session);
		this.#cancel();
		this.#mayLeave = true;
		if (this.#shown) this.#setShown(false);
	}

	close(): void {
		this.#cancel();
		this.#opened = null;
		this.#shown = false;
	}

	/**
	 * @returns the session of the screen that opened the cash payment; null if no cash payment is
	 * open
	 */
	session(): string | null {
		return this.#opened?.session ?? null;
	}

	#isCashPage({ screen, id }: Drawn, payment: Payment): boolean {
		return screen === CASH_ROUTE && sameId(id, payment.id) && !this.#deps.isIdReused(payment);
	}

	#remember(drawn: Drawn, at: number): void {
		this.#drawings.delete(drawn.session);
		this.#drawings.set(drawn.session, { ...drawn, at });
		for (const oldest of this.#drawings.keys()) {
			if (this.#drawings.size <= MOST_SCREENS) break;
			this.#drawings.delete(oldest);
		}
	}

	#watch(): void {
		const { clock, frozenMs } = this.#deps;
		this.#cancel();
		const left = this.#drawnAt + frozenMs - clock.now();
		if (left <= 0) return this.#setShown(false);
		this.#cancel = clock.after(left, () => this.#watch());
	}

	#setShown(shown: boolean): void {
		this.#shown = shown;
		this.#deps.onShown(shown);
	}

	/**
	 * Handles a report of another page. Reports may arrive in the wrong order, so the payment ends
	 * only if no report of the cash page follows.
	 */
	#onElsewhere(): void {
		this.#cancel();
		this.#mayLeave = false;
		if (this.#shown) this.#setShown(false);
		const seen = this.#drawnAt;
		this.#cancel = this.#deps.clock.after(ELSEWHERE_MS, () => {
			if (this.#drawnAt === seen) this.#deps.onLeft();
		});
	}
}
