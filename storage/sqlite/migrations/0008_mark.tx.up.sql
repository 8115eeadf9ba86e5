-- The mark: no moment that readers were promised is ahead of it. It outlives the process and does not follow the clock
-- backwards.
CREATE TABLE mark (
	id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
	moment INTEGER NOT NULL
);
--bun:split
INSERT INTO mark (id, moment) SELECT 1, COALESCE(max(last_checked_at), 0) FROM boards;
