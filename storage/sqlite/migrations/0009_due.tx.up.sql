-- A claim that leaves systems out passes over their boards in the index.
DROP INDEX boards_next_check_at;
--bun:split
CREATE INDEX boards_next_check_at ON boards (next_check_at, system) WHERE next_check_at IS NOT NULL;
