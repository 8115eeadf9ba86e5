-- What a change was: the fields and what they showed before and after, the checks that missed a role, where it came from. Empty
-- where that is not known.
ALTER TABLE changes ADD COLUMN details TEXT NOT NULL DEFAULT '';
--bun:split
-- The history of a role. Changes are kept as long as roles, so nothing looks for old ones any more.
CREATE INDEX changes_job_id ON changes (board_id, job_id);
--bun:split
DROP INDEX changes_at;
--bun:split
ALTER TABLE checks ADD COLUMN reopened INTEGER NOT NULL DEFAULT 0;
--bun:split
UPDATE checks SET reopened = c.roles FROM (
	SELECT check_id, count(*) AS roles FROM changes WHERE kind = 'reopened' GROUP BY check_id
) AS c WHERE c.check_id = checks.id;
--bun:split
-- Roles whose absence the check counted.
ALTER TABLE checks ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
--bun:split
-- The check was the first reading of its board: what it found is no news.
ALTER TABLE checks ADD COLUMN first_reading BOOLEAN NOT NULL DEFAULT FALSE;
--bun:split
UPDATE checks SET first_reading = TRUE WHERE found > 0 AND found = open_jobs AND closed + updated + reopened = 0
	AND seq IN (SELECT min(seq) FROM checks WHERE found > 0 AND NOT merged GROUP BY board_id);
--bun:split
-- From when on the account is told what changes on the board, and how many roles were open then; -1 when nobody knows.
ALTER TABLE subscriptions ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE subscriptions ADD COLUMN open_then INTEGER NOT NULL DEFAULT -1;
--bun:split
UPDATE subscriptions SET since = added_at;
