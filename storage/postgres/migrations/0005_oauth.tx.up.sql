CREATE TABLE oauth_clients (
	id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	name          TEXT NOT NULL,
	uri           TEXT NOT NULL,
	redirect_uris TEXT NOT NULL,
	grant_types   TEXT NOT NULL,
	kind          TEXT NOT NULL,
	scope         TEXT NOT NULL,
	created_at    BIGINT NOT NULL,
	last_used_at  BIGINT NOT NULL DEFAULT 0
);
--bun:split
CREATE INDEX oauth_clients_last_used_at ON oauth_clients (last_used_at, created_at);
--bun:split
CREATE TABLE oauth_asks (
	hash       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	body       TEXT NOT NULL,
	expires_at BIGINT NOT NULL
);
--bun:split
CREATE INDEX oauth_asks_account_id ON oauth_asks (account_id);
--bun:split
CREATE INDEX oauth_asks_expires_at ON oauth_asks (expires_at);
--bun:split
CREATE TABLE oauth_grants (
	id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	client_id    TEXT COLLATE "C" NOT NULL,
	client_name  TEXT NOT NULL,
	host         TEXT NOT NULL,
	resource     TEXT NOT NULL,
	scopes       TEXT NOT NULL,
	created_at   BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL,
	last_used_at BIGINT NOT NULL DEFAULT 0,
	revoked_at   BIGINT NOT NULL DEFAULT 0
);
--bun:split
CREATE INDEX oauth_grants_account_id ON oauth_grants (account_id, created_at DESC);
--bun:split
CREATE INDEX oauth_grants_client_id ON oauth_grants (client_id);
--bun:split
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at);
--bun:split
CREATE TABLE oauth_tokens (
	hash         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	kind         TEXT NOT NULL,
	grant_id     TEXT COLLATE "C" NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
	scopes       TEXT NOT NULL,
	redirect_uri TEXT NOT NULL,
	challenge    TEXT NOT NULL,
	created_at   BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL,
	used_at      BIGINT NOT NULL DEFAULT 0
);
--bun:split
CREATE INDEX oauth_tokens_grant_id ON oauth_tokens (grant_id, expires_at);
--bun:split
CREATE INDEX oauth_tokens_expires_at ON oauth_tokens (expires_at);
