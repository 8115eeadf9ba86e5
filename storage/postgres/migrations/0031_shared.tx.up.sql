-- Saved searches that their owners have published: anybody who knows the token may read what they find.
CREATE TABLE published (
	search_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES searches (id) ON DELETE CASCADE,
	token     TEXT COLLATE "C" NOT NULL UNIQUE
);
--bun:split
-- What an operator answered to a report, and when; 0: not yet.
ALTER TABLE misreads ADD COLUMN answer TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE misreads ADD COLUMN answered_at BIGINT NOT NULL DEFAULT 0;
--bun:split
-- How far an application has come.
ALTER TABLE marks ADD COLUMN stage TEXT NOT NULL DEFAULT '';
