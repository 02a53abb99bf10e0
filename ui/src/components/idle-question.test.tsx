// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, storeWith } from '../state/test-store.tsx';
import { pass, timedScreens } from '../state/timed-screen.fixture.ts';
import { indonesian, setCatalogue } from '../text/catalogue.ts';
import { english } from '../text/english/english.ts';
import { IdleQuestion } from './idle-question.tsx';

timedScreens();
afterEach(() => setCatalogue(indonesian));

const asked = () => screen.queryByRole('dialog') !== null;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

/**
 * A screen with a customer's input. The button "uang" puts money into the acceptor or takes it out.
 */
function Desk({ onLeave, after }: { onLeave: () => void; after?: number }) {
	const [money, setMoney] = useState(false);
	const [digits, setDigits] = useState('');
	return (
		<>
			<button type="button" onClick={() => setMoney(!money)}>
				uang
			</button>
			<input aria-label="nomor" value={digits} onChange={(event) => setDigits(event.target.value)} />
			<IdleQuestion enabled={!money} onLeave={onLeave} {...(after !== undefined && { after })} />
		</>
	);
}
function desk(after?: number) {
	const onLeave = vi.fn();
	const { store } = storeWith();
	draw(store, <Desk onLeave={onLeave} {...(after !== undefined && { after })} />);
	return { onLeave, store };
}

test('after a minute without a touch the question opens and counts down; without an answer, the visit ends, and only once', async () => {
	const { onLeave, store } = desk();
	await pass(59_000);
	expect(asked()).toBe(false);
	await pass(1_500);
	expect(asked()).toBe(true);
	expect(store.getState().attention).toBe(1);
	await pass(10_000);
	expect(screen.getByRole('dialog').textContent).toMatch(/kembali ke awal dalam(9|10)detik/);
	expect(onLeave).not.toHaveBeenCalled();
	await pass(10_000);
	expect(onLeave).toHaveBeenCalledTimes(1);
	expect(asked()).toBe(false);
});

test('in English the countdown says "2 seconds", then "1 second"', async () => {
	setCatalogue(english);
	desk();
	await pass(60_500);
	await pass(18_000);
	expect(screen.getByRole('dialog').textContent).toMatch(/2seconds/);
	await pass(1_000);
	expect(screen.getByRole('dialog').textContent).toMatch(/1second(?!s)/);
});

test('a touch or a key press restarts the minute before the question', async () => {
	desk();
	await pass(50_000);
	fireEvent.pointerDown(document.body);
	await pass(50_000);
	fireEvent.keyDown(document.body, { key: '1' });
	await pass(50_000);
	expect(asked()).toBe(false);
});

test('answering the question leaves the screen unchanged and restarts the minute', async () => {
	const { onLeave } = desk();
	fireEvent.change(screen.getByLabelText('nomor'), { target: { value: '0812' } });
	await pass(60_500);
	press('Lanjutkan');
	await pass(30_000);
	expect(onLeave).not.toHaveBeenCalled();
	expect(screen.getByLabelText<HTMLInputElement>('nomor').value).toBe('0812');
	await pass(31_000);
	expect(asked()).toBe(true);
});

test('the question closes while money is in the acceptor, and opens again at the earliest 30 s after the money is gone', async () => {
	const { onLeave } = desk();
	await pass(60_500);
	expect(asked()).toBe(true);
	press('uang');
	expect(asked()).toBe(false);
	press('uang');
	await pass(30_000);
	expect(asked()).toBe(false);
	expect(onLeave).not.toHaveBeenCalled();
});

test('a screen can set a longer wait before the idle question', async () => {
	desk(300_000);
	await pass(299_000);
	expect(asked()).toBe(false);
	await pass(1_500);
	expect(asked()).toBe(true);
});
