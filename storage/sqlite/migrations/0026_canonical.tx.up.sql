-- E-mail addresses get one form; the program rewrites them with this step. Sign-ins that wait for their second half are no
-- longer stored, only that one was finished.
DROP TABLE ceremonies;
--bun:split
CREATE TABLE used_tokens (
	hash       TEXT NOT NULL PRIMARY KEY,
	expires_at INTEGER NOT NULL
) WITHOUT ROWID;
--bun:split
CREATE INDEX used_tokens_expires_at ON used_tokens (expires_at);
