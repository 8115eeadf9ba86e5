-- What a person has seen of the changes on their boards, and when they last looked.
ALTER TABLE preferences ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE preferences ADD COLUMN looked_at BIGINT NOT NULL DEFAULT 0;
--bun:split
-- Whether the list of first steps is shown.
ALTER TABLE preferences ADD COLUMN steps BOOLEAN NOT NULL DEFAULT TRUE;
--bun:split
-- What is new is counted on every page, from the index alone.
DROP INDEX checks_changed;
--bun:split
CREATE INDEX checks_changed ON checks (board_id, at DESC) INCLUDE (found, closed, updated, first_reading) WHERE found + closed + updated > 0;
--bun:split
-- Every attempt at a delivery, one JSON object a line, and the last test of a webhook in the same form.
ALTER TABLE deliveries ADD COLUMN log TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE webhooks ADD COLUMN tested TEXT NOT NULL DEFAULT '';
