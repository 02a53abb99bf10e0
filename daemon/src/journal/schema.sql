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
CREATE INDEX IF NOT EXISTS records_collected ON records (seq) WHERE kind = 'cashbox_collected';
CREATE INDEX IF NOT EXISTS records_of_invoice ON records (body ->> '$.payment.noinvoice') WHERE kind = 'invoice_paid';

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
CREATE INDEX IF NOT EXISTS notes_of_invoice ON notes (noinvoice);
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
CREATE INDEX IF NOT EXISTS prints_open ON prints (state) WHERE state = 'requested';

CREATE TABLE IF NOT EXISTS acceptor_lock (one INTEGER PRIMARY KEY CHECK (one = 1), locked INTEGER NOT NULL, why TEXT NOT NULL) STRICT;

-- How often the cashbox was taken out; who counted it is in the record at collected_seq.
CREATE TABLE IF NOT EXISTS box_removals (
	removal_id TEXT PRIMARY KEY,
	seq INTEGER NOT NULL,
	time TEXT NOT NULL,
	returned TEXT,
	collected_seq INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS box_removals_out ON box_removals (seq) WHERE returned IS NULL;
CREATE INDEX IF NOT EXISTS box_removals_uncounted ON box_removals (seq) WHERE collected_seq IS NULL;
-- Where one period of counting ends and the next begins.
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
	response TEXT,                 -- JSON, the newest word of the terminal
	sent_seq INTEGER NOT NULL,
	outcome_seq INTEGER,           -- the terminal's word; there is one at most
	approved_seq INTEGER,
	relayed_seq INTEGER,
	CHECK (state <> 'approved' OR approved_seq IS NOT NULL),
	CHECK (relayed_seq IS NULL OR approved_seq IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS card_sales_of_payment ON card_sales (payment_id);
CREATE INDEX IF NOT EXISTS card_sales_of_invoice ON card_sales (payment ->> 'noinvoice');
CREATE INDEX IF NOT EXISTS card_sales_of_slip ON card_sales (response ->> 'invoice', response ->> 'batch');
CREATE INDEX IF NOT EXISTS card_sales_in_order ON card_sales (sent_seq);
CREATE INDEX IF NOT EXISTS card_sales_approved ON card_sales (approved_seq) WHERE approved_seq IS NOT NULL;
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
CREATE INDEX IF NOT EXISTS card_actions_open ON card_actions (state) WHERE state = 'asked';
CREATE INDEX IF NOT EXISTS card_actions_of_sale ON card_actions (attempt_id) WHERE attempt_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS card_actions_settled ON card_actions (ended_seq) WHERE action = 'settlement' AND state = 'done';

-- How many sales there are in each state, so that nobody has to count them.
CREATE TABLE IF NOT EXISTS card_counts (state TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS card_counts_new AFTER INSERT ON card_sales BEGIN
	INSERT INTO card_counts VALUES (new.state, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER IF NOT EXISTS card_counts_changed AFTER UPDATE OF state ON card_sales WHEN new.state <> old.state BEGIN
	UPDATE card_counts SET count = count - 1 WHERE state = old.state;
	INSERT INTO card_counts VALUES (new.state, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- Invoices that were paid a second time, once at least; whether a charge must still go back is asked of the sales.
CREATE TABLE IF NOT EXISTS paid_twice (payment_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS paid_twice_by_card AFTER UPDATE OF state ON card_sales
WHEN new.state = 'approved' AND new.payment_id IS NOT NULL AND (EXISTS (SELECT 1 FROM paid WHERE payment_id = new.payment_id)
	OR EXISTS (SELECT 1 FROM card_sales WHERE payment_id = new.payment_id AND state = 'approved' AND attempt_id <> new.attempt_id)) BEGIN
	INSERT OR IGNORE INTO paid_twice VALUES (new.payment_id);
END;
CREATE TRIGGER IF NOT EXISTS paid_twice_otherwise AFTER INSERT ON paid
WHEN EXISTS (SELECT 1 FROM card_sales WHERE payment_id = new.payment_id AND state = 'approved') BEGIN
	INSERT OR IGNORE INTO paid_twice VALUES (new.payment_id);
END;
