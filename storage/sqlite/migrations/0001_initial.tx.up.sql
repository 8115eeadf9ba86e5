CREATE TABLE meta (
	name  TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;
--bun:split
CREATE TABLE boards (
	id              TEXT    NOT NULL PRIMARY KEY,
	source          TEXT,
	system          TEXT    NOT NULL DEFAULT '',
	url             TEXT    NOT NULL,
	company         TEXT    NOT NULL DEFAULT '',
	domain          TEXT    NOT NULL DEFAULT '',
	status          TEXT    NOT NULL,
	open_jobs       INTEGER NOT NULL DEFAULT 0,
	closed_jobs     INTEGER NOT NULL DEFAULT 0,
	cadence_ms      INTEGER NOT NULL DEFAULT 0,
	next_check_at   INTEGER,
	added_at        INTEGER NOT NULL,
	health          TEXT    NOT NULL DEFAULT '',
	last_checked_at INTEGER NOT NULL DEFAULT 0,
	last_success_at INTEGER NOT NULL DEFAULT 0,
	sick_since      INTEGER NOT NULL DEFAULT 0,
	missing         INTEGER NOT NULL DEFAULT 0,
	fingerprint     TEXT    NOT NULL DEFAULT '',
	set_hash        TEXT    NOT NULL DEFAULT '',
	state           TEXT    NOT NULL DEFAULT '',
	version         INTEGER NOT NULL DEFAULT 0,
	streak          INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
--bun:split
CREATE UNIQUE INDEX boards_source ON boards (source) WHERE source IS NOT NULL;
--bun:split
CREATE INDEX boards_next_check_at ON boards (next_check_at) WHERE next_check_at IS NOT NULL;
--bun:split
CREATE TABLE addresses (
	address  TEXT NOT NULL PRIMARY KEY,
	board_id TEXT NOT NULL REFERENCES boards (id)
) WITHOUT ROWID;
--bun:split
CREATE INDEX addresses_board_id ON addresses (board_id);
--bun:split
CREATE TABLE aliases (
	id       TEXT NOT NULL PRIMARY KEY,
	board_id TEXT NOT NULL REFERENCES boards (id)
) WITHOUT ROWID;
--bun:split
CREATE INDEX aliases_board_id ON aliases (board_id);
--bun:split
CREATE TABLE jobs (
	seq           INTEGER PRIMARY KEY,
	id            TEXT    NOT NULL UNIQUE,
	board_id      TEXT    NOT NULL REFERENCES boards (id),
	job_key       TEXT    NOT NULL,
	title         TEXT    NOT NULL,
	title_fold    TEXT    NOT NULL,
	location      TEXT    NOT NULL,
	location_fold TEXT    NOT NULL,
	department    TEXT    NOT NULL,
	url           TEXT    NOT NULL,
	status        INTEGER NOT NULL,
	misses        INTEGER NOT NULL,
	first_seen_at INTEGER NOT NULL,
	last_seen_at  INTEGER,
	closed_at     INTEGER
);
--bun:split
CREATE UNIQUE INDEX jobs_key ON jobs (board_id, job_key);
--bun:split
CREATE INDEX jobs_missing ON jobs (board_id) WHERE status = 0 AND last_seen_at IS NOT NULL;
--bun:split
CREATE INDEX jobs_list ON jobs (board_id, status, first_seen_at DESC, id DESC, title_fold, location_fold);
--bun:split
CREATE TABLE accounts (
	id            TEXT    NOT NULL PRIMARY KEY,
	email         TEXT    NOT NULL UNIQUE,
	plan          TEXT    NOT NULL,
	verified      BOOLEAN NOT NULL DEFAULT FALSE,
	admin         BOOLEAN NOT NULL DEFAULT FALSE,
	password_hash TEXT    NOT NULL DEFAULT '',
	created_at    INTEGER NOT NULL
) WITHOUT ROWID;
--bun:split
CREATE TABLE subscriptions (
	seq          INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id   TEXT    NOT NULL REFERENCES accounts (id),
	board_id     TEXT    NOT NULL REFERENCES boards (id),
	locked       BOOLEAN NOT NULL,
	company_name TEXT    NOT NULL DEFAULT '',
	added_at     INTEGER NOT NULL
);
--bun:split
CREATE UNIQUE INDEX subscriptions_account_id ON subscriptions (account_id, board_id);
--bun:split
CREATE INDEX subscriptions_board_id ON subscriptions (board_id);
--bun:split
CREATE TABLE api_keys (
	id           TEXT    NOT NULL PRIMARY KEY,
	account_id   TEXT    NOT NULL REFERENCES accounts (id),
	name         TEXT    NOT NULL,
	hint         TEXT    NOT NULL,
	hash         TEXT    NOT NULL UNIQUE,
	created_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
--bun:split
CREATE INDEX api_keys_account_id ON api_keys (account_id);
--bun:split
CREATE TABLE webhooks (
	id              TEXT    NOT NULL PRIMARY KEY,
	account_id      TEXT    NOT NULL REFERENCES accounts (id),
	url             TEXT    NOT NULL,
	events          TEXT    NOT NULL,
	secret          BLOB    NOT NULL,
	created_at      INTEGER NOT NULL,
	failing_since   INTEGER NOT NULL DEFAULT 0,
	disabled_at     INTEGER NOT NULL DEFAULT 0,
	disabled_reason TEXT    NOT NULL DEFAULT ''
) WITHOUT ROWID;
--bun:split
CREATE INDEX webhooks_account_id ON webhooks (account_id);
--bun:split
CREATE TABLE payloads (
	id         TEXT    NOT NULL PRIMARY KEY,
	type       TEXT    NOT NULL,
	board_id   TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	tail       BLOB    NOT NULL
);
--bun:split
CREATE INDEX payloads_created_at ON payloads (created_at);
--bun:split
CREATE TABLE deliveries (
	id              TEXT    NOT NULL PRIMARY KEY,
	webhook_id      TEXT    NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
	board_id        TEXT    NOT NULL,
	payload_id      TEXT    NOT NULL REFERENCES payloads (id),
	type            TEXT    NOT NULL,
	state           TEXT    NOT NULL,
	attempts        INTEGER NOT NULL DEFAULT 0,
	response_code   INTEGER NOT NULL DEFAULT 0,
	error           TEXT    NOT NULL DEFAULT '',
	duration_ms     INTEGER NOT NULL DEFAULT 0,
	created_at      INTEGER NOT NULL,
	last_attempt_at INTEGER NOT NULL DEFAULT 0,
	next_attempt_at INTEGER NOT NULL DEFAULT 0,
	lease_until     INTEGER NOT NULL DEFAULT 0,
	lease_token     TEXT    NOT NULL DEFAULT ''
);
--bun:split
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
--bun:split
CREATE INDEX deliveries_pending ON deliveries (webhook_id, next_attempt_at) WHERE state = 'pending';
--bun:split
CREATE INDEX deliveries_leased ON deliveries (webhook_id, lease_until) WHERE lease_until > 0;
--bun:split
CREATE INDEX deliveries_log ON deliveries (webhook_id, created_at DESC, id DESC);
--bun:split
CREATE INDEX deliveries_payload_id ON deliveries (payload_id);
--bun:split
CREATE TABLE checks (
	seq         INTEGER PRIMARY KEY AUTOINCREMENT,
	id          TEXT    NOT NULL UNIQUE,
	board_id    TEXT    NOT NULL REFERENCES boards (id),
	at          INTEGER NOT NULL,
	health      TEXT    NOT NULL,
	reason      TEXT    NOT NULL,
	blocked_by  TEXT    NOT NULL,
	open_jobs   INTEGER NOT NULL,
	found       INTEGER NOT NULL,
	closed      INTEGER NOT NULL,
	updated     INTEGER NOT NULL,
	requests    INTEGER NOT NULL,
	repeats     INTEGER NOT NULL DEFAULT 0,
	last_at     INTEGER NOT NULL DEFAULT 0
);
--bun:split
CREATE INDEX checks_board_id ON checks (board_id, seq DESC);
--bun:split
CREATE INDEX checks_at ON checks (at);
--bun:split
CREATE TABLE changes (
	seq      INTEGER PRIMARY KEY AUTOINCREMENT,
	board_id TEXT    NOT NULL REFERENCES boards (id),
	check_id TEXT    NOT NULL,
	job_id   TEXT    NOT NULL,
	kind     TEXT    NOT NULL,
	at       INTEGER NOT NULL
);
--bun:split
CREATE INDEX changes_board_id ON changes (board_id, at);
--bun:split
CREATE INDEX changes_at ON changes (at);
