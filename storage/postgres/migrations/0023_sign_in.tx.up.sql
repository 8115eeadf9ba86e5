-- Who people are at OpenID Connect providers.
CREATE TABLE logins (
	issuer       TEXT COLLATE "C" NOT NULL,
	subject      TEXT COLLATE "C" NOT NULL,
	account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	email        TEXT NOT NULL,
	created_at   BIGINT NOT NULL,
	last_used_at BIGINT NOT NULL,
	PRIMARY KEY (issuer, subject)
);
--bun:split
CREATE INDEX logins_account_id ON logins (account_id, created_at);
--bun:split
-- The public halves of keys that people's devices keep.
CREATE TABLE passkeys (
	id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	account_id    TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	credential_id TEXT COLLATE "C" NOT NULL UNIQUE,
	name          TEXT NOT NULL,
	credential    BYTEA NOT NULL,
	uses          BIGINT NOT NULL,
	created_at    BIGINT NOT NULL,
	last_used_at  BIGINT NOT NULL
);
--bun:split
CREATE INDEX passkeys_account_id ON passkeys (account_id, created_at);
--bun:split
-- Sign-ins that have begun.
CREATE TABLE ceremonies (
	hash       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	kind       TEXT NOT NULL,
	account_id TEXT COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
	data       BYTEA NOT NULL,
	expires_at BIGINT NOT NULL
);
--bun:split
CREATE INDEX ceremonies_expires_at ON ceremonies (expires_at);
--bun:split
CREATE INDEX ceremonies_account_id ON ceremonies (account_id);
--bun:split
-- How somebody signed in, and when they last proved who they are.
ALTER TABLE sessions ADD COLUMN way TEXT NOT NULL DEFAULT 'password';
--bun:split
ALTER TABLE sessions ADD COLUMN proven_at BIGINT NOT NULL DEFAULT 0;
--bun:split
UPDATE sessions SET proven_at = created_at;
