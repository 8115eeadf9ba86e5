CREATE UNLOGGED TABLE rates (
	account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	name       TEXT NOT NULL,
	used       BYTEA NOT NULL DEFAULT '',
	PRIMARY KEY (account_id, name)
) WITH (fillfactor = 50);
