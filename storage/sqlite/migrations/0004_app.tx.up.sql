CREATE TABLE sessions (
	id           TEXT NOT NULL PRIMARY KEY,
	account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	hash         TEXT NOT NULL UNIQUE,
	address      TEXT NOT NULL,
	user_agent   TEXT NOT NULL,
	created_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL
) WITHOUT ROWID;
--bun:split
CREATE INDEX sessions_account_id ON sessions (account_id, last_used_at DESC);
--bun:split
CREATE INDEX sessions_last_used_at ON sessions (last_used_at);
--bun:split
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
--bun:split
CREATE INDEX links_account_id ON links (account_id, kind);
--bun:split
CREATE INDEX links_email ON links (email, kind);
--bun:split
CREATE INDEX links_expires_at ON links (expires_at);
--bun:split
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
) WITHOUT ROWID;
--bun:split
CREATE INDEX preferences_digest_at ON preferences (digest_at) WHERE digest;
--bun:split
CREATE TABLE notices (
	id          TEXT NOT NULL PRIMARY KEY,
	account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	lease_until INTEGER NOT NULL DEFAULT 0,
	told_at     INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
--bun:split
CREATE INDEX notices_account_id ON notices (account_id);
--bun:split
CREATE INDEX checks_changed ON checks (board_id, at DESC) WHERE found + closed + updated > 0;
--bun:split
CREATE INDEX checks_series ON checks (board_id, at, open_jobs);
