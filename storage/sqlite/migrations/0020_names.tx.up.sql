-- What a person calls a webhook; empty: nothing.
ALTER TABLE webhooks ADD COLUMN name TEXT NOT NULL DEFAULT '';
--bun:split
-- Boards are found by the names of their companies.
CREATE INDEX boards_company ON boards (lower(company));
