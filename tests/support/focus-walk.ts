import type { Page } from 'playwright-core';

interface Stop {
	name: string;
	/** Part of the screen that contains the control. */
	part: string;
	left: number;
	top: number;
	bottom: number;
	/** What is wrong with the focus ring; '' if the ring is visible. */
	ring: string;
	/** Position of the control in the document. */
	place: number;
}

/** No screen has that many controls. */
const MOST_STOPS = 80;

/**
 * Presses Tab until the focus is back at the start.
 * @returns a finding for each control that Tab misses or reaches out of order, and for each
 * invisible focus ring
 */
export async function focusFaults(page: Page): Promise<string[]> {
	const stops: Stop[] = [];
	for (let presses = 0; presses < MOST_STOPS; presses += 1) {
		await page.keyboard.press('Tab');
		const stop = await page.evaluate(focused);
		if (stop === 'again') break;
		if (stop !== null) stops.push(stop);
	}
	const missed = await page.evaluate(missedControls);
	const first = stops.findIndex(({ place }) => stops.every((other) => place <= other.place));
	const inOrder = [...stops.slice(first), ...stops.slice(0, first)];
	return [
		...missed.map((name) => `Tab misses ${name}`),
		...stops.filter(({ ring }) => ring !== '').map(({ name, ring }) => `${name}: ${ring}`),
		...inOrder.flatMap((stop, at) => {
			const before = inOrder[at - 1];
			if (before === undefined || before.part !== stop.part) {
				const returns = inOrder.slice(0, Math.max(0, at - 1)).some(({ part }) => part === stop.part);
				return returns ? [`${stop.name}: Tab comes back to ${stop.part}`] : [];
			}
			const isBelow = stop.top >= before.bottom - 4;
			const isRight = stop.left > before.left && stop.bottom > before.top;
			return isBelow || isRight ? [] : [`${stop.name} comes after ${before.name}`];
		}),
	];
}

/**
 * Runs in the page.
 * @returns the focused control; null if no control is focused; 'again' if Tab had already reached
 * it
 */
function focused(): Stop | null | 'again' {
	const control = document.activeElement;
	if (!(control instanceof HTMLElement) || control === document.body || control instanceof HTMLDialogElement) return null;
	if (control.dataset.reached === 'true') return 'again';
	control.dataset.reached = 'true';
	const { left, top, right, bottom } = control.getBoundingClientRect();
	const part = control.closest('dialog, main, aside, header');
	const shows = ({ outlineStyle, outlineWidth, boxShadow }: CSSStyleDeclaration) =>
		(outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
	// An input field has its ring on the frame around it.
	const carrier = [control, control.parentElement ?? control].find((one) => shows(getComputedStyle(one)));
	let ring = carrier === undefined ? 'no ring' : '';
	const style = getComputedStyle(carrier ?? control);
	const room = Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
	for (let around = control.parentElement; around !== null && carrier === control; around = around.parentElement) {
		if (getComputedStyle(around).overflow === 'visible') continue;
		const box = around.getBoundingClientRect();
		if (left - room < box.left - 1 || right + room > box.right + 1 || top - room < box.top - 1 || bottom + room > box.bottom + 1) {
			ring = `ring cut by ${around.className || around.tagName}`;
			break;
		}
	}
	const name = control.getAttribute('aria-label') ?? (control.textContent?.trim() || control.id);
	const place = [...document.querySelectorAll('*')].indexOf(control);
	return { name, place, part: part?.tagName ?? 'the rest', left, top, bottom, ring };
}

/** Runs in the page. @returns names of usable controls that Tab did not reach */
function missedControls(): string[] {
	const inside = document.querySelector('dialog[open]') ?? document.body;
	const controls = [...inside.querySelectorAll<HTMLElement>('button, input, a[href], [tabindex="0"]')];
	const missed = controls.filter(
		(one) => one.dataset.reached !== 'true' && !one.matches(':disabled') && one.checkVisibility() && one.closest('[inert]') === null,
	);
	for (const one of controls) delete one.dataset.reached;
	return missed.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '');
}
