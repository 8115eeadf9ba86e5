-- Channels are kept with webhooks, because what is owed to them is sent in the same way. The kind of a channel; empty: a webhook.
ALTER TABLE webhooks ADD COLUMN channel TEXT NOT NULL DEFAULT '';
--bun:split
-- What a channel tells: what these searches find (ids, one a line), all changes, boards that can no longer be read.
ALTER TABLE webhooks ADD COLUMN searches TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE webhooks ADD COLUMN all_changes BOOLEAN NOT NULL DEFAULT FALSE;
--bun:split
ALTER TABLE webhooks ADD COLUMN failures BOOLEAN NOT NULL DEFAULT FALSE;
