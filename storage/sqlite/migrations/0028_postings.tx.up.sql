-- What sources state about roles: facts as JSON, and the text by its hash, both since stated_at; 0 is since the role was first
-- seen.
ALTER TABLE jobs ADD COLUMN facts TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE jobs ADD COLUMN text_hash TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE jobs ADD COLUMN stated_at INTEGER NOT NULL DEFAULT 0;
--bun:split
CREATE INDEX jobs_text_hash ON jobs (text_hash) WHERE text_hash <> '';
--bun:split
CREATE INDEX jobs_text_closed ON jobs (closed_at) WHERE status = 1 AND text_hash <> '';
--bun:split
-- Texts of roles, once for each content, compressed with zstd. The moment is when a check last brought it.
CREATE TABLE texts (
	hash TEXT    NOT NULL PRIMARY KEY,
	body BLOB    NOT NULL,
	at   INTEGER NOT NULL
);
--bun:split
-- What was stated before, and since when.
CREATE TABLE versions (
	job_id    TEXT    NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	at        INTEGER NOT NULL,
	facts     TEXT    NOT NULL,
	text_hash TEXT    NOT NULL,
	PRIMARY KEY (job_id, at)
) WITHOUT ROWID;
--bun:split
CREATE INDEX versions_text_hash ON versions (text_hash) WHERE text_hash <> '';
--bun:split
-- The words of the texts of roles, under jobs.seq. The program has folded them: the tokenizer only parts them at blanks.
CREATE VIRTUAL TABLE text_words USING fts5 (
	words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '+#'"
);
--bun:split
CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs WHEN OLD.text_hash <> '' BEGIN
	DELETE FROM text_words WHERE rowid = OLD.seq;
END;
--bun:split
CREATE TRIGGER jobs_forgotten AFTER UPDATE OF text_hash ON jobs WHEN OLD.text_hash <> '' AND NEW.text_hash = '' BEGIN
	DELETE FROM text_words WHERE rowid = OLD.seq;
END;
--bun:split
-- What saved searches look for in facts.
ALTER TABLE searches ADD COLUMN mode TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE searches ADD COLUMN type TEXT NOT NULL DEFAULT '';
