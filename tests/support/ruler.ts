import type { Page } from 'playwright-core';
import { panelOf } from '../../ui/src/kiosk/panel.ts';

/** Diagonals of common panels, inch. The smallest panel is the hardest to fit on. */
export const PANELS = [15.6, 21.5, 32];

/**
 * Sets the page's panel size and waits for the layout.
 * @param inch diagonal
 */
export async function fillPanel(page: Page, inch: number): Promise<void> {
	const size = page.viewportSize();
	if (size === null) throw new Error('a page without a size');
	await page.evaluate(
		async ({ mm, dense }) => {
			document.documentElement.style.setProperty('--mm', `${mm}px`);
			document.documentElement.dataset.dense = String(dense);
			// Waits three frames: for the layout, for elements that adapt to their measured size, and for
			// elements that these move. An animation's end comes even while the page's clock is paused.
			for (let frame = 0; frame < 3; frame += 1) await document.documentElement.animate([], 1).finished;
		},
		panelOf(size.width, size.height, inch),
	);
}

/** On screens for customers, this upper fraction of a portrait panel must have no controls. */
const CUSTOMERS_REACH = 1 / 3;

/**
 * @param above upper fraction of a portrait panel that must have no controls; 0: controls may be
 * anywhere
 * @returns findings, with sizes in millimetres on the panel: controls that are too small, too close
 * together, outside the panel or out of reach; text that is too small; money and actions with too
 * little contrast; parts that scroll
 */
export async function tooSmall(page: Page, above = 0): Promise<string[]> {
	return [...new Set([...(await page.evaluate(wrongControls, above)), ...(await page.evaluate(wrongLetters))])];
}

/**
 * @returns the findings of `tooSmall`, and parts that are cut, covered or out of a customer's reach
 */
export async function misfits(page: Page): Promise<string[]> {
	return [...(await tooSmall(page, CUSTOMERS_REACH)), ...new Set(await page.evaluate(wrongPlaces))];
}

/** @returns the height of the tallest capital letter of an amount on the page's panel, mm */
export const tallestAmount = (page: Page): Promise<number> =>
	page.evaluate(() => {
		const mm = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--mm'));
		const amounts = [...document.querySelectorAll('*')].filter(
			(element) => element.children.length === 0 && /^Rp [\d.]+$/.test((element.textContent ?? '').trim()),
		);
		return Math.max(0, ...amounts.map((amount) => (Number.parseFloat(getComputedStyle(amount).fontSize) * 0.72) / mm));
	});

// The following functions run in the page, so they use nothing from outside themselves. They ignore
// the parts that a dialog hides.

function wrongControls(above: number): string[] {
	const CONTROL_MM = 12.7;
	/**
	 * Least size of a control, as a fraction of the screen's shorter side. This rule works even if
	 * the settings name a wrong panel size.
	 */
	const CONTROL_SHARE = 60 / 1080;
	const KEY_MM = 20;
	const GAP_MM = 2.54;
	const found: string[] = [];
	const root = document.documentElement;
	const mm = Number.parseFloat(getComputedStyle(root).getPropertyValue('--mm'));
	const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
	const name = (element: Element) => `${element.tagName.toLowerCase()} "${element.getAttribute('aria-label') ?? element.textContent}"`;

	if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) found.push('the page scrolls');
	const controls = [...front.querySelectorAll<HTMLButtonElement | HTMLInputElement>('button, input')]
		.map((element) => ({ element, box: element.getBoundingClientRect() }))
		.filter(({ element, box }) => box.width > 0 && getComputedStyle(element).visibility === 'visible');
	for (const { element, box } of controls) {
		const ofKeypad = element.closest('fieldset')?.querySelector('legend')?.textContent === 'Papan angka';
		const size = Math.min(box.width, box.height) / mm;
		const share = Math.min(box.width, box.height) / Math.min(innerWidth, innerHeight);
		if (share < CONTROL_SHARE - 0.0005) found.push(`${name(element)} is ${Math.round(share * 1080)} px of 1080`);
		if (size < (ofKeypad ? KEY_MM : CONTROL_MM) - 0.05) found.push(`${name(element)} is ${size.toFixed(1)} mm`);
		const inside = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
		if (!inside) found.push(`${name(element)} is outside`);
		const high = innerHeight > innerWidth && box.top + box.height / 2 < innerHeight * above;
		if (high && !element.disabled) found.push(`${name(element)} is out of reach`);
	}
	const buttons = controls.filter(({ element }) => element.matches('button'));
	for (const [index, one] of buttons.entries())
		for (const other of buttons.slice(index + 1)) {
			const across = Math.max(other.box.left - one.box.right, one.box.left - other.box.right);
			const apart = Math.max(across, other.box.top - one.box.bottom, one.box.top - other.box.bottom) / mm;
			if (apart < GAP_MM - 0.1) found.push(`${name(one.element)} and ${name(other.element)} are ${apart.toFixed(1)} mm apart`);
		}
	return found;
}

function wrongLetters(): string[] {
	const CAP_MM = 4.8;
	/** Height of this typeface's capital letters, em. */
	const CAP_EM = 0.72;
	const CONTRAST = 7;
	const found: string[] = [];
	const mm = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--mm'));
	const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
	const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	if (context === null) throw new Error('no canvas');

	const rgba = (color: string): number[] => {
		context.clearRect(0, 0, 1, 1);
		context.fillStyle = color;
		context.fillRect(0, 0, 1, 1);
		return [...context.getImageData(0, 0, 1, 1).data];
	};
	const luminance = (color: number[]): number => {
		const [red = 0, green = 0, blue = 0] = color.map((part) =>
			part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
		);
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const groundOf = (element: Element): number[] => {
		for (let at: Element | null = element; at !== null; at = at.parentElement) {
			const color = rgba(getComputedStyle(at).backgroundColor);
			if (color[3] === 255) return color;
		}
		return [255, 255, 255];
	};
	for (const element of front.querySelectorAll('*')) {
		const words = [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : '')).join('');
		const style = getComputedStyle(element);
		if (words.trim() === '' || element.closest('.silent') !== null || style.visibility !== 'visible') continue;
		if (element.getClientRects().length === 0) continue;
		const cap = (Number.parseFloat(style.fontSize) * CAP_EM) / mm;
		if (cap < CAP_MM - 0.02) found.push(`"${words}" has capitals of ${cap.toFixed(2)} mm`);
		if (element.closest('button') === null && !/^Rp [\d.]+$/.test(words)) continue;
		const [dark = 0, light = 0] = [luminance(rgba(style.color)), luminance(groundOf(element))].sort((a, b) => a - b);
		const contrast = (light + 0.05) / (dark + 0.05);
		if (contrast < CONTRAST) found.push(`"${words}" has a contrast of ${contrast.toFixed(1)}`);
	}
	return found;
}

function wrongPlaces(): string[] {
	const found: string[] = [];
	const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
	/**
	 * Whether an element may be cut: it is on a later page of an invoice or is shortened on purpose.
	 */
	const mayBeHidden = (element: Element) =>
		element.closest('.silent, [class*="lines"]') !== null || getComputedStyle(element).webkitLineClamp !== 'none';
	const cutsOff = (element: Element) => getComputedStyle(element).overflow !== 'visible';

	const lines: { words: string; owner: Element; box: DOMRect }[] = [];
	const walker = document.createTreeWalker(front, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		const owner = node.parentElement;
		const words = (node.textContent ?? '').trim();
		if (owner === null || words === '' || mayBeHidden(owner) || getComputedStyle(owner).visibility !== 'visible') continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		for (const box of range.getClientRects()) if (box.width > 0) lines.push({ words: `"${words.slice(0, 40)}"`, owner, box });
	}
	for (const { words, owner, box } of lines) {
		for (const share of [0.3, 0.7]) {
			const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height * share);
			if (seen !== null && !seen.contains(owner) && !owner.contains(seen)) found.push(`${words} is covered`);
		}
		const button = owner.closest('button')?.getBoundingClientRect();
		if (button && (box.left < button.left || box.right > button.right)) found.push(`${words} is wider than its button`);
		// A line box is higher than its letters, so a small cut above or below does not touch the
		// letters.
		const slack = box.height * 0.2;
		for (let at: Element | null = owner; at !== null; at = at.parentElement) {
			const edge = at === document.documentElement ? new DOMRect(0, 0, innerWidth, innerHeight) : at.getBoundingClientRect();
			const across = box.left < edge.left - 1 || box.right > edge.right + 1;
			if (cutsOff(at) && (across || box.top < edge.top - slack || box.bottom > edge.bottom + slack)) found.push(`${words} is cut`);
		}
	}
	const meet = (one: DOMRect, other: DOMRect) => {
		const [top, bottom] = [one.top + one.height * 0.3, one.bottom - one.height * 0.3];
		return one.left + 1 < other.right - 1 && other.left + 1 < one.right - 1 && top < other.bottom && other.top < bottom;
	};
	const heart = (box: DOMRect) => new DOMRect(box.left, box.top + box.height * 0.3, box.width, box.height * 0.4);
	for (const [index, one] of lines.entries()) {
		for (const other of lines.slice(index + 1))
			if (one.owner !== other.owner && meet(one.box, heart(other.box))) found.push(`${one.words} lies on ${other.words}`);
		for (const control of front.querySelectorAll('button, input'))
			if (!control.contains(one.owner) && !one.owner.contains(control) && meet(one.box, control.getBoundingClientRect()))
				found.push(`${one.words} lies on ${control.tagName} "${control.textContent}"`);
	}
	return found;
}
