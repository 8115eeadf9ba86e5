-- E-mail addresses get one form; the program rewrites them with this step. Sign-ins that wait for their second half are no
-- longer stored, only that one was finished.
DROP TABLE ceremonies;
--bun:split
CREATE TABLE used_tokens (
	hash       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	expires_at BIGINT NOT NULL
);
--bun:split
CREATE INDEX used_tokens_expires_at ON used_tokens (expires_at);
