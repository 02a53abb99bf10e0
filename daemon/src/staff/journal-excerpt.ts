import { cleanValue } from '../base/redaction.ts';
import { messageOf } from '../base/result.ts';
import { answerJson, type Handler } from '../http/handler.ts';
import { readStore } from '../journal/store.ts';

/** Number of records in the excerpt: about the last few hours of a busy day. */
const RECORDS = 400;

/** The newest records without personal data, oldest first, or why they cannot be read. */
export type JournalExcerpt =
	| { records: { seq: number; time: string; kind: string; subject: string; record: unknown }[] }
	| { problem: string };

/** @param directory of the journal, which is opened separately from the daemon's handle */
export function journalExcerpt(directory: string): JournalExcerpt {
	const opened = readStore(directory);
	if (!opened.ok) return { problem: opened.error.message };
	try {
		const rows = opened.value.rows(`SELECT seq, at, kind, subject, body FROM records ORDER BY seq DESC LIMIT ${RECORDS}`);
		const records = rows.reverse().map(({ seq, at, kind, subject, body }) => ({
			seq: Number(seq),
			time: new Date(Number(at)).toISOString(),
			kind: String(kind),
			subject: String(subject),
			record: cleanValue(JSON.parse(String(body))),
		}));
		return { records };
	} catch (error) {
		return { problem: messageOf(error) };
	} finally {
		opened.value.close();
	}
}

/** GET /journal/excerpt on the staff socket, for accounts that may not read the journal's file. */
export const excerptCalls =
	(directory: string): Handler =>
	(request, response, path) => {
		if (request.method !== 'GET' || path !== '/journal/excerpt') return false;
		answerJson(response, 200, journalExcerpt(directory));
		return true;
	};
