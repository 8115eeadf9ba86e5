-- Boards that fail, webhooks that are switched off, and sessions that have had their time are few. Mail and retention find them
-- without reading the others.
CREATE INDEX boards_failed ON boards (id) WHERE status = 'failed';
CREATE INDEX webhooks_disabled ON webhooks (id) WHERE disabled_at > 0;
CREATE INDEX sessions_created_at ON sessions (created_at);
