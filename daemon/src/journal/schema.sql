-- The journal. `records` is the source of truth: append-only, sequenced, hash-chained. The other
-- tables are derived from it in the same transaction, so that a start need not read the whole
-- history.
CREATE TABLE IF NOT EXISTS records (
	seq INTEGER PRIMARY KEY,
	at INTEGER NOT NULL,           -- wall clock, ms; for display, never for ordering
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	body TEXT NOT NULL,            -- JSON of the record
	hash BLOB NOT NULL,            -- SHA-256 over the hash before it and this row
	seal BLOB,                     -- HMAC-SHA256 over the hash with the key of this kiosk (seal.ts); null: written by an earlier version
	UNIQUE (kind, subject)         -- one credit, one outcome, one upload for each note
) STRICT;
-- The newest format among the records, and the oldest format whose readers can use this file
-- (format.ts). A journal without this table has format 1. Later versions do not change this table.
CREATE TABLE IF NOT EXISTS format (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	written_format INTEGER NOT NULL,
	readable_from INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO format VALUES (1, 2, 2);
CREATE INDEX IF NOT EXISTS records_collected ON records (seq) WHERE kind = 'cashbox_collected';
CREATE INDEX IF NOT EXISTS records_names ON records (seq) WHERE kind = 'staff_names_changed';
CREATE INDEX IF NOT EXISTS records_of_invoice ON records (body ->> '$.payment.noinvoice') WHERE kind = 'invoice_paid';
CREATE INDEX IF NOT EXISTS records_seen ON records (body ->> '$.payment.noinvoice') WHERE kind = 'invoice_seen';

CREATE TABLE IF NOT EXISTS notes (
	note_id TEXT PRIMARY KEY,
	payment_id TEXT,               -- null: the note was never accepted; if credited, it counts for the cashbox only
	odoo_id TEXT,                  -- JSON, as the back office wrote it
	id TEXT,                       -- JSON, as the back office wrote it
	noinvoice TEXT NOT NULL,
	nominal INTEGER,               -- rupiah; null if the value is unknown
	time TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('intended', 'credited', 'returned', 'in_doubt')),
	why TEXT NOT NULL DEFAULT '',
	credited_seq INTEGER,
	uploaded_seq INTEGER,
	account TEXT,                  -- JSON of server, outlet and trial flag of the receiver; null: it is not sent
	parked TEXT,                   -- why the back office refuses it; it is not sent until staff decide
	moved_seq INTEGER,             -- the record by which staff made it count for another invoice
	CHECK ((state = 'credited') = (credited_seq IS NOT NULL)),
	CHECK (uploaded_seq IS NULL OR state = 'credited')
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS notes_of_payment ON notes (payment_id);
CREATE INDEX IF NOT EXISTS notes_of_invoice ON notes (noinvoice);
CREATE INDEX IF NOT EXISTS notes_of_id ON notes (id);
-- The order in which notes came to their invoices. The index has all columns of its query: note ids
-- are random, so each note would otherwise be read from another page.
CREATE INDEX IF NOT EXISTS notes_credited ON notes (credited_seq, payment_id, time) WHERE credited_seq IS NOT NULL;
CREATE INDEX IF NOT EXISTS notes_moved ON notes (moved_seq, payment_id, time) WHERE moved_seq IS NOT NULL;
CREATE INDEX IF NOT EXISTS notes_open ON notes (state) WHERE state IN ('intended', 'in_doubt');
CREATE INDEX IF NOT EXISTS notes_waiting ON notes (account, credited_seq)
	WHERE credited_seq IS NOT NULL AND uploaded_seq IS NULL AND payment_id IS NOT NULL AND parked IS NULL;
CREATE INDEX IF NOT EXISTS notes_confirmed ON notes (account) WHERE uploaded_seq IS NOT NULL;
CREATE INDEX IF NOT EXISTS notes_parked ON notes (credited_seq) WHERE parked IS NOT NULL AND uploaded_seq IS NULL;
CREATE INDEX IF NOT EXISTS notes_outbox ON notes (credited_seq) WHERE credited_seq IS NOT NULL AND uploaded_seq IS NULL;

-- Invoices that were declared paid to a customer, and which side declared it last. balance.ts
-- computes the present state.
CREATE TABLE IF NOT EXISTS paid (payment_id TEXT PRIMARY KEY, by TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- The record of the back office's last statement on an invoice (seen_seq), and the total for which
-- it has said "paid" since the last review (claim).
CREATE TABLE IF NOT EXISTS invoices (
	payment_id TEXT PRIMARY KEY,
	payment TEXT NOT NULL,
	claim TEXT,
	seen_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS invoices_of_id ON invoices (payment -> 'id');
CREATE INDEX IF NOT EXISTS invoices_of_number ON invoices (payment ->> 'noinvoice');
CREATE TABLE IF NOT EXISTS given_back (
	give_id TEXT PRIMARY KEY,
	payment_id TEXT NOT NULL,
	amount INTEGER NOT NULL,
	seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS given_back_of_payment ON given_back (payment_id);
CREATE INDEX IF NOT EXISTS given_back_in_order ON given_back (seq);
-- The record up to which staff have settled an invoice. `twice`: settled surplus in rupiah. The
-- invoice is listed again after later money of this kiosk or a larger surplus.
CREATE TABLE IF NOT EXISTS settled (
	payment_id TEXT PRIMARY KEY,
	seq INTEGER NOT NULL,
	twice INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Invoices that need a decision of staff; other balances are computed from the tables above.
CREATE TABLE IF NOT EXISTS balances (
	payment_id TEXT PRIMARY KEY,
	state TEXT NOT NULL CHECK (state IN ('partial', 'paid_twice', 'dispute')),
	total INTEGER NOT NULL,
	received INTEGER NOT NULL,
	twice INTEGER NOT NULL,
	why TEXT NOT NULL,
	seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
DROP INDEX IF EXISTS balances_in_order;
-- Includes `received`, so that the sum over all partly paid invoices reads only the index.
CREATE INDEX IF NOT EXISTS balances_of_state ON balances (state, seq, received);

CREATE TABLE IF NOT EXISTS prints (
	print_id TEXT PRIMARY KEY,
	payment_id TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('requested', 'done', 'failed', 'abandoned'))
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS prints_of_payment ON prints (payment_id);
CREATE INDEX IF NOT EXISTS prints_open ON prints (state) WHERE state = 'requested';

CREATE TABLE IF NOT EXISTS acceptor_lock (one INTEGER PRIMARY KEY CHECK (one = 1), locked INTEGER NOT NULL, why TEXT NOT NULL) STRICT;

-- Removals of the cashbox; the record at collected_seq names the person who counted it.
CREATE TABLE IF NOT EXISTS box_removals (
	removal_id TEXT PRIMARY KEY,
	seq INTEGER NOT NULL,
	time TEXT NOT NULL,
	returned TEXT,
	collected_seq INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS box_removals_out ON box_removals (seq) WHERE returned IS NULL;
CREATE INDEX IF NOT EXISTS box_removals_uncounted ON box_removals (seq) WHERE collected_seq IS NULL;
-- Ends of the cashbox periods.
CREATE INDEX IF NOT EXISTS records_boxes ON records (seq)
WHERE (kind = 'cashbox_removed' OR (kind = 'cashbox_collected' AND body ->> 'removal' IS NULL));

CREATE TABLE IF NOT EXISTS card_sales (
	attempt_id TEXT PRIMARY KEY,
	payment_id TEXT,               -- null: an approval that no request of this kiosk explains
	payment TEXT,                  -- JSON of the invoice as it was looked up
	amount INTEGER NOT NULL,       -- rupiah
	method TEXT NOT NULL CHECK (method IN ('card', 'qris')),
	attempt INTEGER NOT NULL,
	time TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('sent', 'approved', 'declined', 'not_begun', 'unknown', 'not_charged', 'voided')),
	why TEXT NOT NULL DEFAULT '',
	response TEXT,                 -- JSON, the newest response of the terminal
	sent_seq INTEGER NOT NULL,
	outcome_seq INTEGER,           -- the terminal's outcome; at most one
	approved_seq INTEGER,
	relayed_seq INTEGER,
	account TEXT,                  -- as with notes
	CHECK (state <> 'approved' OR approved_seq IS NOT NULL),
	CHECK (relayed_seq IS NULL OR approved_seq IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS card_sales_of_payment ON card_sales (payment_id);
CREATE INDEX IF NOT EXISTS card_sales_of_account ON card_sales (account) WHERE account IS NOT NULL;
CREATE INDEX IF NOT EXISTS card_sales_of_invoice ON card_sales (payment ->> 'noinvoice');
CREATE INDEX IF NOT EXISTS card_sales_of_id ON card_sales (payment -> 'id');
CREATE INDEX IF NOT EXISTS card_sales_of_slip ON card_sales (response ->> 'invoice', response ->> 'batch');
CREATE INDEX IF NOT EXISTS card_sales_in_order ON card_sales (sent_seq);
CREATE INDEX IF NOT EXISTS card_sales_approved ON card_sales (approved_seq) WHERE approved_seq IS NOT NULL;
-- Allows only one open sale, independently of the code, because there is one terminal.
CREATE UNIQUE INDEX IF NOT EXISTS card_sales_open ON card_sales (state) WHERE state = 'sent';
CREATE INDEX IF NOT EXISTS card_sales_unknown ON card_sales (sent_seq) WHERE state = 'unknown';
CREATE INDEX IF NOT EXISTS card_sales_outbox ON card_sales (approved_seq) WHERE approved_seq IS NOT NULL AND relayed_seq IS NULL;
CREATE INDEX IF NOT EXISTS card_sales_waiting ON card_sales (account, approved_seq)
	WHERE approved_seq IS NOT NULL AND relayed_seq IS NULL AND state = 'approved' AND payment_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS card_actions (
	action_id TEXT PRIMARY KEY,
	action TEXT NOT NULL CHECK (action IN ('void', 'settlement')),
	attempt_id TEXT,
	state TEXT NOT NULL CHECK (state IN ('asked', 'done', 'refused', 'not_begun', 'unknown')),
	ended_seq INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS card_actions_open ON card_actions (state) WHERE state = 'asked';
CREATE INDEX IF NOT EXISTS card_actions_of_sale ON card_actions (attempt_id) WHERE attempt_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS card_actions_settled ON card_actions (ended_seq) WHERE action = 'settlement' AND state = 'done';

-- Number of sales in each state, so that queries need not count the sales.
CREATE TABLE IF NOT EXISTS card_counts (state TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS card_counts_new AFTER INSERT ON card_sales BEGIN
	INSERT INTO card_counts VALUES (new.state, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER IF NOT EXISTS card_counts_changed AFTER UPDATE OF state ON card_sales WHEN new.state <> old.state BEGIN
	UPDATE card_counts SET count = count - 1 WHERE state = old.state;
	INSERT INTO card_counts VALUES (new.state, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- Triggers of earlier versions, for tables that `balances` replaces.
DROP TRIGGER IF EXISTS paid_twice_by_card;
DROP TRIGGER IF EXISTS paid_twice_otherwise;

-- Notes waiting for the back office, by account ('' for none), so that health need not count them.
-- The conditions are those of open-items-check.ts.
CREATE TABLE IF NOT EXISTS waiting (account TEXT PRIMARY KEY, count INTEGER NOT NULL, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS waiting_begins AFTER UPDATE ON notes
WHEN (new.credited_seq IS NOT NULL AND new.uploaded_seq IS NULL AND new.payment_id IS NOT NULL AND new.parked IS NULL)
	AND (NOT (old.credited_seq IS NOT NULL AND old.uploaded_seq IS NULL AND old.payment_id IS NOT NULL AND old.parked IS NULL) OR new.account IS NOT old.account) BEGIN
	INSERT INTO waiting VALUES (coalesce(new.account, ''), 1, new.nominal) ON CONFLICT DO UPDATE SET count = count + 1, total = total + new.nominal;
END;
CREATE TRIGGER IF NOT EXISTS waiting_ends AFTER UPDATE ON notes
WHEN (old.credited_seq IS NOT NULL AND old.uploaded_seq IS NULL AND old.payment_id IS NOT NULL AND old.parked IS NULL)
	AND (NOT (new.credited_seq IS NOT NULL AND new.uploaded_seq IS NULL AND new.payment_id IS NOT NULL AND new.parked IS NULL) OR new.account IS NOT old.account) BEGIN
	UPDATE waiting SET count = count - 1, total = total - old.nominal WHERE account = coalesce(old.account, '');
END;
