-- When a merge moved a subscription to its board; 0 when none did.
ALTER TABLE subscriptions ADD COLUMN as_of BIGINT NOT NULL DEFAULT 0;
--bun:split
-- Checks of a board that merged into the one whose they are now: their open roles were not this board's.
ALTER TABLE checks ADD COLUMN merged BOOLEAN NOT NULL DEFAULT FALSE;
--bun:split
DROP INDEX checks_series;
--bun:split
CREATE INDEX checks_series ON checks (board_id, at, open_jobs, merged);
