-- The journal. `records` is the truth: append-only, sequenced, hash-chained. The other tables are folds over it, written in
-- the same transaction, so that a start does not have to read the whole history.
CREATE TABLE IF NOT EXISTS records (
	seq INTEGER PRIMARY KEY,
	at INTEGER NOT NULL,           -- wall clock, ms; for people, never for order
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	body TEXT NOT NULL,            -- JSON of the record
	hash BLOB NOT NULL,            -- SHA-256 over the hash before it and this row
	UNIQUE (kind, subject)         -- one credit, one outcome, one upload for each note
) STRICT;

CREATE TABLE IF NOT EXISTS notes (
	note_id TEXT PRIMARY KEY,
	payment_id TEXT,               -- null: a note nobody had accepted; credited, it counts for the cashbox alone
	odoo_id TEXT,                  -- JSON, as the back office wrote it
	id TEXT,                       -- JSON, as the back office wrote it
	noinvoice TEXT NOT NULL,
	nominal INTEGER,               -- rupiah; null when not even the value is known
	time TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('intended', 'credited', 'returned', 'in_doubt')),
	why TEXT NOT NULL DEFAULT '',
	credited_seq INTEGER,
	uploaded_seq INTEGER,
	CHECK ((state = 'credited') = (credited_seq IS NOT NULL)),
	CHECK (uploaded_seq IS NULL OR state = 'credited')
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS notes_of_payment ON notes (payment_id);
CREATE INDEX IF NOT EXISTS notes_open ON notes (state) WHERE state IN ('intended', 'in_doubt');
CREATE INDEX IF NOT EXISTS notes_outbox ON notes (credited_seq) WHERE credited_seq IS NOT NULL AND uploaded_seq IS NULL;

CREATE TABLE IF NOT EXISTS paid (payment_id TEXT PRIMARY KEY, by TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Invoices with a credited note and without a word that they are paid; whether the notes cover them is asked of the notes.
CREATE TABLE IF NOT EXISTS partial (payment_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS prints (
	print_id TEXT PRIMARY KEY,
	payment_id TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('requested', 'done', 'failed', 'abandoned'))
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS prints_of_payment ON prints (payment_id);

CREATE TABLE IF NOT EXISTS acceptor_lock (one INTEGER PRIMARY KEY CHECK (one = 1), locked INTEGER NOT NULL, why TEXT NOT NULL) STRICT;

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
	response TEXT,                 -- JSON, the newest word of the terminal
	sent_seq INTEGER NOT NULL,
	outcome_seq INTEGER,           -- the terminal's word; there is one at most
	approved_seq INTEGER,
	relayed_seq INTEGER,
	CHECK (state <> 'approved' OR approved_seq IS NOT NULL),
	CHECK (relayed_seq IS NULL OR approved_seq IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS card_sales_of_payment ON card_sales (payment_id);
-- One terminal, one sale at a time, whatever the code above believes.
CREATE UNIQUE INDEX IF NOT EXISTS card_sales_open ON card_sales (state) WHERE state = 'sent';
CREATE INDEX IF NOT EXISTS card_sales_unknown ON card_sales (sent_seq) WHERE state = 'unknown';
CREATE INDEX IF NOT EXISTS card_sales_outbox ON card_sales (approved_seq) WHERE approved_seq IS NOT NULL AND relayed_seq IS NULL;

CREATE TABLE IF NOT EXISTS card_actions (
	action_id TEXT PRIMARY KEY,
	action TEXT NOT NULL CHECK (action IN ('void', 'settlement')),
	attempt_id TEXT,
	state TEXT NOT NULL CHECK (state IN ('asked', 'done', 'refused', 'not_begun', 'unknown')),
	ended_seq INTEGER
) STRICT, WITHOUT ROWID;
