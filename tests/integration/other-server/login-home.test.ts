// @module-tag deep
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { json } from '../../simulators/back-office/other-dealer.ts';
import { BAD_GATEWAY, leavesNothing, logIn, startWalk, type Walk } from './walk.ts';

let walk: Walk;
beforeAll(async () => {
	walk = await startWalk('login and home');
	return walk.stop;
});
beforeEach(() => walk.fresh());

async function submit(username: string, password: string): Promise<void> {
	await walk.page.getByLabel('Username').fill(username);
	await walk.page.getByLabel('Password', { exact: true }).fill(password);
	await walk.page.keyboard.press('Enter');
}

test('a refused log-in shows the server’s message, or else the kiosk’s own message', async () => {
	await walk.page.goto(`${walk.daemon.url}/logout`);
	await walk.page.getByLabel('Username').waitFor();
	await submit('siapa', 'salah');
	await walk.sees('Username atau password salah');
	await walk.page.reload();
	walk.office.next('login', json(400, { message: '', detail: null }));
	await submit('siapa', 'salah');
	await walk.sees(/wrong username or password/i);
	for (const answer of [
		BAD_GATEWAY,
		json(200, { token: null }),
		json(200, {}),
		json(200, null),
		{ status: 200, body: '{"token": "abc', type: 'application/json' },
		{ status: 204, body: '', type: 'text/plain' },
		json(500, { message: null, detail: ['a', 'b'] }),
		'call lost' as const,
	]) {
		await walk.page.reload();
		walk.office.next('login', answer);
		await submit('siapa', 'salah');
		await walk.sees('Kami sedang mengalami gangguan');
		expect(await walk.page.getByText('Masukan nomor HP anda').count(), JSON.stringify(answer)).toBe(0);
	}
	expect(walk.oddities().filter((line) => line.includes('token'))).not.toEqual([]);
	expect(walk.faults).toEqual([]);
	await logIn(walk);
});

test('the label Development is shown only if the answer to the log-in reports development mode', async () => {
	expect(await walk.page.getByText('Development').count()).toBe(0);
	walk.office.development = true;
	await walk.fresh();
	walk.office.development = false;
	await walk.sees('Development');
});

test('an unknown number shows a message, and a phone number that does not begin with 0 is found', async () => {
	for (const digit of '0899000111') await walk.page.getByRole('button', { name: digit, exact: true }).click();
	await walk.press('Lanjut');
	await walk.sees('Invoice tidak ditemukan');
	await walk.press('Kembali');
	await walk.home();
	const bill = walk.bill(95_000, { hp: '6226110917', konsumen_name: '', nopol: '' });
	await walk.type(bill.hp);
	await walk.sees(bill.noinvoice);
	await walk.sees('Bayar Tunai');
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
	expect(walk.faults).toEqual([]);
	expect(walk.office.complaints).toEqual([]);
});

test('if the token is revoked, the next look-up leads to the log-in screen', async () => {
	walk.office.books.revokeTokens();
	await walk.type('0899000111');
	await walk.page.getByLabel('Username').waitFor();
});

test('[spec 2.1.3, 2.2.4] an unknown path is a 404, and the logout route ends the session', async () => {
	await walk.page.goto(`${walk.daemon.url}/tidak/ada`);
	await walk.sees('404');
	await walk.page.goto(`${walk.daemon.url}/logout`);
	await walk.page.getByLabel('Username').waitFor();
	await walk.page.goto(walk.daemon.url);
	await walk.page.getByLabel('Username').waitFor();
	expect(walk.faults).toEqual([]);
});
