-- Roles by when they were closed, for telling what has changed since a moment.
CREATE INDEX jobs_closed ON jobs (board_id, closed_at DESC, id DESC) WHERE status = 1;
