-- Where on its page the roles of a board are, as somebody has shown it; empty where the reader finds them by itself.
ALTER TABLE boards ADD COLUMN recipe TEXT NOT NULL DEFAULT '';
--bun:split
-- What happened in a check beside its outcome: the recipe was made anew, say.
ALTER TABLE checks ADD COLUMN event TEXT NOT NULL DEFAULT '';
