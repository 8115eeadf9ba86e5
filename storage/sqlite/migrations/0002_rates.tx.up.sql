CREATE TABLE rates (
	account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	name       TEXT NOT NULL,
	used       BLOB NOT NULL DEFAULT x'',
	PRIMARY KEY (account_id, name)
) WITHOUT ROWID;
