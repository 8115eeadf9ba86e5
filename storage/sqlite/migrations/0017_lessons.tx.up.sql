-- Reports of accounts that a board is misread.
CREATE TABLE misreads (
	board_id   TEXT NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
	account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	at         INTEGER NOT NULL,
	text       TEXT NOT NULL,
	titles     TEXT NOT NULL,
	PRIMARY KEY (board_id, account_id)
);
--bun:split
CREATE INDEX misreads_at ON misreads (at);
--bun:split
CREATE INDEX misreads_account_id ON misreads (account_id);
--bun:split
-- What an operator asks about a board's page, and the answer of who reads it.
CREATE TABLE lessons (
	board_id    TEXT NOT NULL PRIMARY KEY REFERENCES boards (id) ON DELETE CASCADE,
	asked_at    INTEGER NOT NULL,
	taken_until INTEGER NOT NULL DEFAULT 0,
	done        BOOLEAN NOT NULL DEFAULT FALSE,
	lesson      TEXT NOT NULL
);
--bun:split
CREATE INDEX lessons_waiting ON lessons (asked_at) WHERE NOT done;
