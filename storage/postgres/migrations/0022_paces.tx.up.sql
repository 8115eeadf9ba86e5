-- How often hosts are asked, by their names with ports, and from when on a host may be forgotten. After a crash of the
-- server all hosts are as if nobody had asked them.
CREATE UNLOGGED TABLE paces (
	host    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	state   TEXT NOT NULL DEFAULT '{}',
	idle_at BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
--bun:split
CREATE INDEX paces_idle ON paces (idle_at);
