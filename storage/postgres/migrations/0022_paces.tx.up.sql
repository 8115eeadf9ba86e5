-- How often hosts are asked, by their names with ports; from when on a host may be forgotten; and until when it is asked
-- less often than its pace allows. After a crash of the server all hosts are as if nobody had asked them. A turn changes
-- no indexed column, so that it is one new version of a row and nothing else.
CREATE UNLOGGED TABLE paces (
	host       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	state      TEXT NOT NULL DEFAULT '{}',
	idle_at    BIGINT NOT NULL DEFAULT 0,
	slow_until BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
--bun:split
CREATE INDEX paces_slow ON paces (slow_until) WHERE slow_until > 0;
