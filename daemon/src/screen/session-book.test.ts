import { expect, test } from 'vitest';
import { addSession, type SessionBook, withoutSession } from './session-book.ts';

const EMPTY: SessionBook = { sessions: [], usedSecret: null };
const hashes = ({ sessions }: SessionBook) => sessions.map(({ hash }) => hash);

test('of ten thousand log-ins the newest eight stay, and the browser started by systemd keeps its session', () => {
	let book = addSession(EMPTY, { hash: 'browser', kind: 'browser' });
	for (let time = 0; time < 10_000; time += 1) book = addSession(book, { hash: String(time), kind: 'login' });
	expect(hashes(book)).toEqual(['browser', '9992', '9993', '9994', '9995', '9996', '9997', '9998', '9999']);
});

test('a restarted browser replaces the previous browser’s session; log-ins stay', () => {
	let book = addSession(addSession(EMPTY, { hash: 'a', kind: 'browser' }), { hash: 'b', kind: 'login' });
	book = addSession(book, { hash: 'c', kind: 'browser' });
	expect(hashes(book)).toEqual(['b', 'c']);
	expect(hashes(withoutSession(book, 'b'))).toEqual(['c']);
});
