-- Wrong passwords, by what they count against, and when all of its turns will have come back.
CREATE UNLOGGED TABLE guesses (
	key   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	until BIGINT NOT NULL
);
--bun:split
CREATE INDEX guesses_until ON guesses (until);
