/** A bug put into the code on purpose. */
export interface Mutant {
	/** The resulting fault, for the report. */
	name: string;
	/** Below daemon/src. */
	file: string;
	/** Occurs exactly once in the file. */
	find: string;
	replace: string;
}

export const MUTANTS: readonly Mutant[] = [
	{
		name: 'the note is accepted before its intent is on disk',
		file: 'cash/cash-acceptor.ts',
		find: `return { state: { ...state, note }, effects: [{ kind: 'write', record }] };`,
		replace: `return { state: { ...state, note }, effects: [{ kind: 'acceptor', command: 'accept' }, { kind: 'write', record }] };`,
	},
	{
		name: 'a note is shown before its credit is on disk',
		file: 'cash/cash-acceptor.ts',
		find: `return { state, effects: [{ kind: 'write', record: { kind: 'cash_credit', note_id: note.note_id, late: report.late } }] };`,
		replace: `return { state, effects: [{ kind: 'tell', text: { type: 'payment_cash_notification', id: note.payment.id, odoo_id: null, note_id: note.note_id, nominal: note.nominal, time: note.time } }, { kind: 'write', record: { kind: 'cash_credit', note_id: note.note_id, late: report.late } }] };`,
	},
	{
		name: 'commits are not synced',
		file: 'journal/store.ts',
		find: 'PRAGMA synchronous = FULL',
		replace: 'PRAGMA synchronous = NORMAL',
	},
	{
		name: 'records may occur twice',
		file: 'journal/schema.sql',
		find: 'UNIQUE (kind, subject) ',
		replace: 'CHECK (seq > 0)         ',
	},
	{
		name: 'the ledger credits a note a second time',
		file: 'journal/ledger.ts',
		find: `AND payment_id IS NOT NULL AND (state = 'intended' OR (state = 'in_doubt' AND ?))`,
		replace: 'AND payment_id IS NOT NULL AND (? IS NOT NULL)',
	},
	{
		name: 'a return undoes a credit in the ledger',
		file: 'journal/ledger.ts',
		find: `UPDATE notes SET state = 'returned' WHERE note_id = ? AND state IN ('intended', 'in_doubt')`,
		replace: `UPDATE notes SET state = 'returned', credited_seq = NULL, uploaded_seq = NULL WHERE note_id = ?`,
	},
	{
		name: 'an open intent is forgotten at the start',
		file: 'journal/journal.ts',
		find: `append({ kind: 'cash_in_doubt', note_id, why: 'the outcome could not be recorded before the kiosk stopped' });`,
		replace: `append({ kind: 'cash_returned', note_id });`,
	},
	{
		name: 'an open intent is credited at the start',
		file: 'journal/journal.ts',
		find: `append({ kind: 'cash_in_doubt', note_id, why: 'the outcome could not be recorded before the kiosk stopped' });`,
		replace: `append({ kind: 'cash_credit', note_id, late: false });`,
	},
	{
		name: 'hashes are not verified when the journal opens',
		file: 'journal/store.ts',
		find: 'if (bad !== null) throw new DamagedFile(',
		replace: 'if (bad === 0) throw new DamagedFile(',
	},
	{
		name: 'the outbox accepts any answer as a confirmation',
		file: 'back-office/outbox.ts',
		find: 'if (status < 200 || status > 299)',
		replace: 'if (status < 200)',
	},
	{
		name: 'the outbox moves on before the answer',
		file: 'back-office/outbox.ts',
		find: `			deps.onUnreachable();
			return { text: answer.error.message, refused: 'no' };`,
		replace: `			deps.onUnreachable();
			journal.append({ kind: 'note_uploaded', note_id: note.note_id });
			return null;`,
	},
	{
		name: 'a repeated upload has a new id',
		file: 'back-office/outbox.ts',
		find: 'note_id: note.note_id,\n\t\t\tid: note.id,',
		replace: 'note_id: note.note_id.replace(/.$/, String(failures % 10)),\n\t\t\tid: note.id,',
	},
	{
		name: 'an invoice counts as paid with a thousand rupiah missing',
		file: 'cash/cash-after-write.ts',
		find: 'if (receivedOf(session.entries) < session.payment.total) return',
		replace: 'if (receivedOf(session.entries) < session.payment.total - 1_000) return',
	},
	{
		name: 'a session ends although a note is in flight',
		file: 'cash/cash-after-write.ts',
		find: 'if (!session?.closing || state.note) return',
		replace: 'if (!session?.closing) return',
	},
	{
		name: 'the acceptor takes notes while one is in doubt',
		file: 'cash/cash-acceptor.ts',
		find: `if (session.closing || session.paid !== 'no' || session.inDoubt.length > 0 || state.note) return 'closing';`,
		replace: `if (session.closing || session.paid !== 'no' || state.note) return 'closing';`,
	},
	{
		name: 'an unexpected STACKED is credited to the next note',
		file: 'acceptor/ict/note.ts',
		find: '		accepted,\n		late',
		replace: '		accepted: true,\n		late',
	},
	{
		name: 'a repeated STACKED counts as another note',
		file: 'acceptor/ict/note.ts',
		find: 'if (!accepted && step.now - stackedAt <= LIMITS.repeatMs && escrowHintAt <= stackedAt) return;',
		replace: '',
	},
	{
		name: 'a note returned after a line loss is taken for the previous one',
		file: 'acceptor/ict/note.ts',
		find: 'if (!other && lostAt < note.at)',
		replace: 'if (!other)',
	},
	{
		name: 'a note stacked minutes later is taken for the note in doubt',
		file: 'acceptor/ict/note.ts',
		find: 'if (over) step.set',
		replace: 'if (over && fault !== null) step.set',
	},
	{
		name: 'a second fault is taken for the fault that holds the note',
		file: 'acceptor/ict/link.ts',
		find: 'if (another || lostAt >= note.at) loseSight',
		replace: 'if (another && lostAt >= note.at) loseSight',
	},
	{
		name: 'every stacked note is taken for a note that staff have found',
		file: 'cash/cash-acceptor.ts',
		find: 'if (found && (report.late || state.suspect === found)) {',
		replace: 'if (found) {',
	},
	{
		name: 'settling one note in doubt opens the acceptor although another is in doubt',
		file: 'cash/cash-staff.ts',
		find: 'const inDoubt = without(session.inDoubt, note_id);',
		replace: 'const inDoubt = session.inDoubt.slice(1);',
	},
	{
		name: 'a credit that the disk kept is written again',
		file: 'cash/cash-journal.ts',
		find: 'const kept = doubtful !== null &&',
		replace: 'const kept = doubtful === null &&',
	},
	{
		name: 'evidence seen while the disk was full is dropped',
		file: 'cash/cash-effects.ts',
		find: 'if (isObservation(record)) this.unwritten.push(record);',
		replace: 'void isObservation;',
	},
	{
		name: 'a new note is matched to an old note in doubt',
		file: 'cash/cash-restart.ts',
		find: 'const RECENT_MS = 20_000;',
		replace: 'const RECENT_MS = 20_000_000;',
	},
	{
		name: 'a session does not reread the books after a failed read',
		file: 'cash/cash-journal.ts',
		find: 'readAgain(runner, session);',
		replace: 'void readAgain;',
	},
	{
		name: 'cash is taken for an invoice whose card sale is unknown',
		file: 'cash/cash-customer.ts',
		find: `if (deps.isHeld(payment)) return 'held';`,
		replace: '',
	},
	{
		name: 'the terminal is acknowledged before the outcome is on disk',
		file: 'card/card-responses.ts',
		find: `return write(state, { kind: 'card_outcome', attempt_id, outcome: verdict.outcome, response, late: false });`,
		replace: `const step = write(state, { kind: 'card_outcome', attempt_id, outcome: verdict.outcome, response, late: false });
	return { state: step.state, effects: [{ kind: 'acknowledge' }, ...step.effects] };`,
	},
	{
		name: 'an approval of another amount counts as payment',
		file: 'edc/verdict.ts',
		find: 'if (response.amount === asked.amount) return',
		replace: 'if (response.amount !== null) return',
	},
	{
		name: 'an old approval pays a new sale',
		file: 'card/card-responses.ts',
		find: 'if (heard.known) {',
		replace: 'if (heard.known && attempt_id === "") {',
	},
	{
		name: 'a sale that was open when the kiosk died is declined',
		file: 'card/card-restart.ts',
		find: `records.push({ kind: 'card_unknown', attempt_id, why, response: null });`,
		replace: `records.push({ kind: 'card_outcome', attempt_id, outcome: 'not_begun', response: null, late: false });`,
	},
	{
		name: 'a card pays an invoice that is paid',
		file: 'card/card-guards.ts',
		find: `if (state === 'paid' || state === 'paid_twice') return 'already_paid';`,
		replace: '',
	},
	{
		name: 'a voided sale is reported as paid',
		file: 'card/card-staff.ts',
		find: 'last: lastAfter(state, outcome)',
		replace: 'last: outcome === null ? lastAfter(state, outcome) : state.last',
	},
	{
		name: 'a receipt after a possibly printed one is not marked as a copy',
		file: 'printer/print-desk.ts',
		find: 'journal.timesPrinted(of.key) > 0',
		replace: 'journal.timesPrinted(of.key) > 1',
	},
];
