-- What people look for, under names.
CREATE TABLE searches (
	id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	name       TEXT NOT NULL,
	text       TEXT NOT NULL,
	location   TEXT NOT NULL,
	department TEXT NOT NULL,
	boards     TEXT NOT NULL,
	tags       TEXT NOT NULL,
	kinds      TEXT NOT NULL,
	created_at BIGINT NOT NULL
);
--bun:split
CREATE INDEX searches_account_id ON searches (account_id, created_at, id);
--bun:split
-- Words by which an account sorts its boards, one a line.
ALTER TABLE subscriptions ADD COLUMN tags TEXT NOT NULL DEFAULT '';
--bun:split
-- Whether the daily mail tells of saved searches only.
ALTER TABLE preferences ADD COLUMN digest_searches BOOLEAN NOT NULL DEFAULT FALSE;
--bun:split
-- What people have noted about roles.
CREATE TABLE marks (
	account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	job_id     TEXT COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	starred    BOOLEAN NOT NULL,
	hidden     BOOLEAN NOT NULL,
	applied_on TEXT NOT NULL,
	note       TEXT NOT NULL,
	PRIMARY KEY (account_id, job_id)
);
--bun:split
CREATE INDEX marks_job_id ON marks (job_id);
