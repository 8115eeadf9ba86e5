-- Who people are at OpenID Connect providers.
CREATE TABLE logins (
	issuer       TEXT NOT NULL,
	subject      TEXT NOT NULL,
	account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	email        TEXT NOT NULL,
	created_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL,
	PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
--bun:split
CREATE INDEX logins_account_id ON logins (account_id, created_at);
--bun:split
-- The public halves of keys that people's devices keep.
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
--bun:split
CREATE INDEX passkeys_account_id ON passkeys (account_id, created_at);
--bun:split
-- Sign-ins that have begun.
CREATE TABLE ceremonies (
	hash       TEXT NOT NULL PRIMARY KEY,
	kind       TEXT NOT NULL,
	account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
	data       BLOB NOT NULL,
	expires_at INTEGER NOT NULL
) WITHOUT ROWID;
--bun:split
CREATE INDEX ceremonies_expires_at ON ceremonies (expires_at);
--bun:split
CREATE INDEX ceremonies_account_id ON ceremonies (account_id);
--bun:split
-- How somebody signed in, and when they last proved who they are.
ALTER TABLE sessions ADD COLUMN way TEXT NOT NULL DEFAULT 'password';
--bun:split
ALTER TABLE sessions ADD COLUMN proven_at INTEGER NOT NULL DEFAULT 0;
--bun:split
UPDATE sessions SET proven_at = created_at;
