ALTER TABLE webhooks ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE webhooks ADD COLUMN lease_token TEXT NOT NULL DEFAULT '';
--bun:split
DROP INDEX deliveries_leased;
--bun:split
ALTER TABLE deliveries DROP COLUMN lease_until;
--bun:split
ALTER TABLE deliveries DROP COLUMN lease_token;
--bun:split
DROP INDEX deliveries_pending;
--bun:split
CREATE INDEX deliveries_pending ON deliveries (webhook_id, next_attempt_at, id) WHERE state = 'pending';
