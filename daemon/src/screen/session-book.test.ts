import { expect, test } from 'vitest';
import { addSession, type SessionBook, withoutSession } from './session-book.ts';

const EMPTY: SessionBook = { sessions: [], usedSecret: null };
const hashes = ({ sessions }: SessionBook) => sessions.map(({ hash }) => hash);

test('after ten thousand log-ins, the newest eight and the browser started by systemd still have their sessions', () => {
	let book = addSession(EMPTY, { hash: 'browser', kind: 'browser' });
	for (let time = 0; time < 10_000; time += 1) book = addSession(book, { hash: String(time), kind: 'login' });
	expect(hashes(book)).toEqual(['browser', '9992', '9993', '9994', '9995', '9996', '9997', '9998', '9999']);
});

test('the session of a restarted browser replaces that of the previous browser, but not those of log-ins', () => {
	let book = addSession(addSession(EMPTY, { hash: 'a', kind: 'browser' }), { hash: 'b', kind: 'login' });
	book = addSession(book, { hash: 'c', kind: 'browser' });
	expect(hashes(book)).toEqual(['b', 'c']);
	expect(hashes(withoutSession(book, 'b'))).toEqual(['c']);
});
