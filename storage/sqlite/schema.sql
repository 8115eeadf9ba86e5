-- Made from the migrations by go test . -run Schema -update. Nothing reads it but people.

CREATE TABLE accounts (
	id            TEXT    NOT NULL PRIMARY KEY,
	email         TEXT    NOT NULL UNIQUE,
	plan          TEXT    NOT NULL,
	verified      BOOLEAN NOT NULL DEFAULT FALSE,
	admin         BOOLEAN NOT NULL DEFAULT FALSE,
	password_hash TEXT    NOT NULL DEFAULT '',
	created_at    INTEGER NOT NULL
, listed INTEGER NOT NULL DEFAULT -1) WITHOUT ROWID;

CREATE TABLE addresses (
	address  TEXT NOT NULL PRIMARY KEY,
	board_id TEXT NOT NULL REFERENCES boards (id)
) WITHOUT ROWID;
CREATE INDEX addresses_board_id ON addresses (board_id);

CREATE TABLE aliases (
	id       TEXT NOT NULL PRIMARY KEY,
	board_id TEXT NOT NULL REFERENCES boards (id)
) WITHOUT ROWID;
CREATE INDEX aliases_board_id ON aliases (board_id);

CREATE TABLE api_keys (
	id           TEXT    NOT NULL PRIMARY KEY,
	account_id   TEXT    NOT NULL REFERENCES accounts (id),
	name         TEXT    NOT NULL,
	hint         TEXT    NOT NULL,
	hash         TEXT    NOT NULL UNIQUE,
	created_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX api_keys_account_id ON api_keys (account_id);

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
, asked_by TEXT NOT NULL DEFAULT '', asked_host TEXT NOT NULL DEFAULT '', asked_at INTEGER NOT NULL DEFAULT 0, recipe TEXT NOT NULL DEFAULT '', well_since INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX boards_asked ON boards (asked_by, asked_at, id) WHERE next_check_at = 1;
CREATE INDEX boards_company ON boards (lower(company));
CREATE INDEX boards_failed ON boards (id) WHERE status = 'failed';
CREATE INDEX boards_next_check_at ON boards (next_check_at, system) WHERE next_check_at IS NOT NULL;
CREATE INDEX boards_sick ON boards (sick_since) WHERE sick_since > 0;
CREATE UNIQUE INDEX boards_source ON boards (source) WHERE source IS NOT NULL;
CREATE INDEX boards_untracked ON boards (added_at) WHERE cadence_ms = 0;

CREATE TABLE changes (
	seq      INTEGER PRIMARY KEY AUTOINCREMENT,
	board_id TEXT    NOT NULL REFERENCES boards (id),
	check_id TEXT    NOT NULL,
	job_id   TEXT    NOT NULL,
	kind     TEXT    NOT NULL,
	at       INTEGER NOT NULL
, details TEXT NOT NULL DEFAULT '');
CREATE INDEX changes_board_id ON changes (board_id, at);
CREATE INDEX changes_job_id ON changes (board_id, job_id);

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
, cause TEXT NOT NULL DEFAULT '', merged BOOLEAN NOT NULL DEFAULT FALSE, event TEXT NOT NULL DEFAULT '', reopened INTEGER NOT NULL DEFAULT 0, missed INTEGER NOT NULL DEFAULT 0, first_reading BOOLEAN NOT NULL DEFAULT FALSE);
CREATE INDEX checks_at ON checks (at);
CREATE INDEX checks_board_id ON checks (board_id, seq DESC);
CREATE INDEX checks_changed ON checks (board_id, at DESC, found, closed, updated, first_reading) WHERE found + closed + updated > 0;
CREATE INDEX checks_series ON checks (board_id, at, open_jobs, merged);

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
	next_attempt_at INTEGER NOT NULL DEFAULT 0, log TEXT NOT NULL DEFAULT '');
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX deliveries_log ON deliveries (webhook_id, created_at DESC, id DESC);
CREATE INDEX deliveries_payload_id ON deliveries (payload_id);
CREATE INDEX deliveries_pending ON deliveries (webhook_id, next_attempt_at, id) WHERE state = 'pending';

CREATE TABLE former (
	account_id TEXT NOT NULL REFERENCES accounts (id),
	board_id   TEXT NOT NULL REFERENCES boards (id),
	PRIMARY KEY (account_id, board_id)
) WITHOUT ROWID;

CREATE TABLE guesses (
	key   TEXT NOT NULL PRIMARY KEY,
	until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX guesses_until ON guesses (until);

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
, missed_since INTEGER NOT NULL DEFAULT 0, mass_loss INTEGER NOT NULL DEFAULT 0, testimony TEXT NOT NULL DEFAULT '', facts TEXT NOT NULL DEFAULT '', text_hash TEXT NOT NULL DEFAULT '', stated_at INTEGER NOT NULL DEFAULT 0);
CREATE INDEX jobs_closed ON jobs (board_id, closed_at DESC, id DESC) WHERE status = 1;
CREATE UNIQUE INDEX jobs_key ON jobs (board_id, job_key);
CREATE INDEX jobs_list ON jobs (board_id, status, first_seen_at DESC, id DESC, title_fold, location_fold);
CREATE INDEX jobs_missing ON jobs (board_id) WHERE status = 0 AND last_seen_at IS NOT NULL;
CREATE INDEX jobs_text_closed ON jobs (closed_at) WHERE status = 1 AND text_hash <> '';
CREATE INDEX jobs_text_hash ON jobs (text_hash) WHERE text_hash <> '';
CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs WHEN OLD.text_hash <> '' BEGIN
	DELETE FROM text_words WHERE rowid = OLD.seq;
END;
CREATE TRIGGER jobs_forgotten AFTER UPDATE OF text_hash ON jobs WHEN OLD.text_hash <> '' AND NEW.text_hash = '' BEGIN
	DELETE FROM text_words WHERE rowid = OLD.seq;
END;

CREATE TABLE lessons (
	board_id    TEXT NOT NULL PRIMARY KEY REFERENCES boards (id) ON DELETE CASCADE,
	asked_at    INTEGER NOT NULL,
	taken_until INTEGER NOT NULL DEFAULT 0,
	done        BOOLEAN NOT NULL DEFAULT FALSE,
	lesson      TEXT NOT NULL
);
CREATE INDEX lessons_waiting ON lessons (asked_at) WHERE NOT done;

CREATE TABLE links (
	id            TEXT NOT NULL PRIMARY KEY,
	kind          TEXT NOT NULL,
	hash          TEXT NOT NULL UNIQUE,
	account_id    TEXT REFERENCES accounts (id) ON DELETE CASCADE,
	email         TEXT NOT NULL,
	plan          TEXT NOT NULL,
	password_hash TEXT NOT NULL,
	created_at    INTEGER NOT NULL,
	expires_at    INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX links_account_id ON links (account_id, kind);
CREATE INDEX links_email ON links (email, kind);
CREATE INDEX links_expires_at ON links (expires_at);

CREATE TABLE logins (
	issuer       TEXT NOT NULL,
	subject      TEXT NOT NULL,
	account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	email        TEXT NOT NULL,
	created_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL,
	PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX logins_account_id ON logins (account_id, created_at);

CREATE TABLE mark (
	id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
	moment INTEGER NOT NULL
);

CREATE TABLE marks (
	account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	job_id     TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	starred    BOOLEAN NOT NULL,
	hidden     BOOLEAN NOT NULL,
	applied_on TEXT NOT NULL,
	note       TEXT NOT NULL, stage TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (account_id, job_id)
);
CREATE INDEX marks_job_id ON marks (job_id);

CREATE TABLE meta (
	name  TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE misreads (
	board_id   TEXT NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
	account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	at         INTEGER NOT NULL,
	text       TEXT NOT NULL,
	titles     TEXT NOT NULL, answer TEXT NOT NULL DEFAULT '', answered_at INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (board_id, account_id)
);
CREATE INDEX misreads_account_id ON misreads (account_id);
CREATE INDEX misreads_at ON misreads (at);

CREATE TABLE notices (
	id          TEXT NOT NULL PRIMARY KEY,
	account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	lease_until INTEGER NOT NULL DEFAULT 0,
	told_at     INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX notices_account_id ON notices (account_id);

CREATE TABLE oauth_asks (
	hash       TEXT NOT NULL PRIMARY KEY,
	account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	body       TEXT NOT NULL,
	expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX oauth_asks_account_id ON oauth_asks (account_id);
CREATE INDEX oauth_asks_expires_at ON oauth_asks (expires_at);

CREATE TABLE oauth_clients (
	id            TEXT NOT NULL PRIMARY KEY,
	name          TEXT NOT NULL,
	uri           TEXT NOT NULL,
	redirect_uris TEXT NOT NULL,
	grant_types   TEXT NOT NULL,
	kind          TEXT NOT NULL,
	scope         TEXT NOT NULL,
	created_at    INTEGER NOT NULL,
	last_used_at  INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX oauth_clients_last_used_at ON oauth_clients (last_used_at, created_at);

CREATE TABLE oauth_grants (
	id           TEXT NOT NULL PRIMARY KEY,
	account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	client_id    TEXT NOT NULL,
	client_name  TEXT NOT NULL,
	host         TEXT NOT NULL,
	resource     TEXT NOT NULL,
	scopes       TEXT NOT NULL,
	created_at   INTEGER NOT NULL,
	expires_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL DEFAULT 0,
	revoked_at   INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX oauth_grants_account_id ON oauth_grants (account_id, created_at DESC);
CREATE INDEX oauth_grants_client_id ON oauth_grants (client_id);
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at);

CREATE TABLE oauth_tokens (
	hash         TEXT NOT NULL PRIMARY KEY,
	kind         TEXT NOT NULL,
	grant_id     TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
	scopes       TEXT NOT NULL,
	redirect_uri TEXT NOT NULL,
	challenge    TEXT NOT NULL,
	created_at   INTEGER NOT NULL,
	expires_at   INTEGER NOT NULL,
	used_at      INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX oauth_tokens_expires_at ON oauth_tokens (expires_at);
CREATE INDEX oauth_tokens_grant_id ON oauth_tokens (grant_id, expires_at);

CREATE TABLE passkeys (
	id            TEXT NOT NULL PRIMARY KEY,
	account_id    TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	credential_id TEXT NOT NULL UNIQUE,
	name          TEXT NOT NULL,
	credential    BLOB NOT NULL,
	uses          INTEGER NOT NULL,
	created_at    INTEGER NOT NULL,
	last_used_at  INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX passkeys_account_id ON passkeys (account_id, created_at);

CREATE TABLE payloads (
	id         TEXT    NOT NULL PRIMARY KEY,
	type       TEXT    NOT NULL,
	board_id   TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	tail       BLOB    NOT NULL
);
CREATE INDEX payloads_created_at ON payloads (created_at);

CREATE TABLE preferences (
	account_id   TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
	digest       BOOLEAN NOT NULL DEFAULT TRUE,
	digest_hour  INTEGER NOT NULL DEFAULT -1,
	time_zone    TEXT NOT NULL DEFAULT '',
	notices      BOOLEAN NOT NULL DEFAULT TRUE,
	theme        TEXT NOT NULL DEFAULT 'auto',
	shortcuts    BOOLEAN NOT NULL DEFAULT TRUE,
	feed_hash    TEXT UNIQUE,
	feed_token   BLOB,
	digest_at    INTEGER NOT NULL DEFAULT 0,
	planned_hour INTEGER NOT NULL DEFAULT -1,
	digest_day   TEXT NOT NULL DEFAULT '',
	digest_until INTEGER NOT NULL DEFAULT 0
, digest_searches BOOLEAN NOT NULL DEFAULT FALSE, seen_at INTEGER NOT NULL DEFAULT 0, looked_at INTEGER NOT NULL DEFAULT 0, steps BOOLEAN NOT NULL DEFAULT TRUE) WITHOUT ROWID;
CREATE INDEX preferences_digest_at ON preferences (digest_at) WHERE digest;

CREATE TABLE published (
	search_id TEXT NOT NULL PRIMARY KEY REFERENCES searches (id) ON DELETE CASCADE,
	token     TEXT NOT NULL UNIQUE
);

CREATE TABLE rates (
	account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	name       TEXT NOT NULL,
	used       BLOB NOT NULL DEFAULT x'',
	PRIMARY KEY (account_id, name)
) WITHOUT ROWID;

CREATE TABLE searches (
	id         TEXT NOT NULL PRIMARY KEY,
	account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	name       TEXT NOT NULL,
	text       TEXT NOT NULL,
	location   TEXT NOT NULL,
	department TEXT NOT NULL,
	boards     TEXT NOT NULL,
	tags       TEXT NOT NULL,
	kinds      TEXT NOT NULL,
	created_at INTEGER NOT NULL
, mode TEXT NOT NULL DEFAULT '', type TEXT NOT NULL DEFAULT '', pay_from INTEGER NOT NULL DEFAULT 0, currency TEXT NOT NULL DEFAULT '', words TEXT NOT NULL DEFAULT '');
CREATE INDEX searches_account_id ON searches (account_id, created_at, id);

CREATE TABLE sessions (
	id           TEXT NOT NULL PRIMARY KEY,
	account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	hash         TEXT NOT NULL UNIQUE,
	address      TEXT NOT NULL,
	user_agent   TEXT NOT NULL,
	created_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL
, way TEXT NOT NULL DEFAULT 'password', proven_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX sessions_account_id ON sessions (account_id, last_used_at DESC);
CREATE INDEX sessions_created_at ON sessions (created_at);
CREATE INDEX sessions_last_used_at ON sessions (last_used_at);

CREATE TABLE subscriptions (
	seq          INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id   TEXT    NOT NULL REFERENCES accounts (id),
	board_id     TEXT    NOT NULL REFERENCES boards (id),
	locked       BOOLEAN NOT NULL,
	company_name TEXT    NOT NULL DEFAULT '',
	added_at     INTEGER NOT NULL
, as_of INTEGER NOT NULL DEFAULT 0, since INTEGER NOT NULL DEFAULT 0, open_then INTEGER NOT NULL DEFAULT -1, tags TEXT NOT NULL DEFAULT '');
CREATE UNIQUE INDEX subscriptions_account_id ON subscriptions (account_id, board_id);
CREATE INDEX subscriptions_board_id ON subscriptions (board_id);
CREATE INDEX subscriptions_order ON subscriptions (account_id, locked, added_at, seq);

CREATE VIRTUAL TABLE text_words USING fts5 (
	words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '+#'"
);

CREATE TABLE texts (
	hash TEXT    NOT NULL PRIMARY KEY,
	body BLOB    NOT NULL,
	at   INTEGER NOT NULL
);

CREATE TABLE used_tokens (
	hash       TEXT NOT NULL PRIMARY KEY,
	expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX used_tokens_expires_at ON used_tokens (expires_at);

CREATE TABLE versions (
	job_id    TEXT    NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	at        INTEGER NOT NULL,
	facts     TEXT    NOT NULL,
	text_hash TEXT    NOT NULL,
	PRIMARY KEY (job_id, at)
) WITHOUT ROWID;
CREATE INDEX versions_text_hash ON versions (text_hash) WHERE text_hash <> '';

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
, lease_until INTEGER NOT NULL DEFAULT 0, lease_token TEXT NOT NULL DEFAULT '', name TEXT NOT NULL DEFAULT '', channel TEXT NOT NULL DEFAULT '', searches TEXT NOT NULL DEFAULT '', all_changes BOOLEAN NOT NULL DEFAULT FALSE, failures BOOLEAN NOT NULL DEFAULT FALSE, tested TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX webhooks_account_id ON webhooks (account_id);
CREATE INDEX webhooks_disabled ON webhooks (id) WHERE disabled_at > 0;
