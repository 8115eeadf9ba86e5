-- Who asked for a check, of which host and when. It counts while the board is due at once (next_check_at = 1).
ALTER TABLE boards ADD COLUMN asked_by TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE boards ADD COLUMN asked_host TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE boards ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
--bun:split
CREATE INDEX boards_asked ON boards (asked_by, asked_at, id) WHERE next_check_at = 1;
--bun:split
-- Boards that nobody tracks, for taking those away that were never read.
CREATE INDEX boards_untracked ON boards (added_at) WHERE cadence_ms = 0;
--bun:split
-- How many boards an account has on its list; -1 while nobody has counted them.
ALTER TABLE accounts ADD COLUMN listed INTEGER NOT NULL DEFAULT -1;
--bun:split
-- An account's list in its order, active and locked boards apart: the end of it, and who is unlocked next, in one step.
CREATE INDEX subscriptions_order ON subscriptions (account_id, locked, added_at, seq);
