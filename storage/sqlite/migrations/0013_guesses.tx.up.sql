-- Wrong passwords, by what they count against, and when all of its turns will have come back.
CREATE TABLE guesses (
	key   TEXT NOT NULL PRIMARY KEY,
	until INTEGER NOT NULL
) WITHOUT ROWID;
--bun:split
CREATE INDEX guesses_until ON guesses (until);
