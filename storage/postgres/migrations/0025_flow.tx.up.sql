-- Hiring by day is counted from the index alone: the rows of a board's checks lie far apart.
DROP INDEX checks_changed;
--bun:split
CREATE INDEX checks_changed ON checks (board_id, at DESC) INCLUDE (found, closed, first_reading) WHERE found + closed + updated > 0;
