-- What sources state about roles: facts as JSON, and the text by its hash, both since stated_at; 0 is since the role was first
-- seen.
ALTER TABLE jobs ADD COLUMN facts TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE jobs ADD COLUMN text_hash TEXT COLLATE "C" NOT NULL DEFAULT '';
--bun:split
ALTER TABLE jobs ADD COLUMN stated_at BIGINT NOT NULL DEFAULT 0;
--bun:split
CREATE INDEX jobs_text_hash ON jobs (text_hash) WHERE text_hash <> '';
--bun:split
CREATE INDEX jobs_text_closed ON jobs (closed_at) WHERE status = 1 AND text_hash <> '';
--bun:split
-- Texts of roles, once for each content, compressed with zstd. The moment is when a check last brought it.
CREATE TABLE texts (
	hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	body BYTEA NOT NULL,
	at   BIGINT NOT NULL
);
--bun:split
ALTER TABLE texts ALTER COLUMN body SET STORAGE EXTERNAL;
--bun:split
-- What was stated before, and since when.
CREATE TABLE versions (
	job_id    TEXT COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	at        BIGINT NOT NULL,
	facts     TEXT NOT NULL,
	text_hash TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (job_id, at)
);
--bun:split
CREATE INDEX versions_text_hash ON versions (text_hash) WHERE text_hash <> '';
--bun:split
-- The words of the texts, as the program has folded them.
CREATE TABLE text_words (
	hash  TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES texts (hash) ON DELETE CASCADE,
	words TSVECTOR NOT NULL
);
--bun:split
CREATE INDEX text_words_words ON text_words USING GIN (words);
--bun:split
-- What saved searches look for in facts.
ALTER TABLE searches ADD COLUMN mode TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE searches ADD COLUMN type TEXT NOT NULL DEFAULT '';
