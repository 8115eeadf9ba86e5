-- What saved searches look for in pay and in texts.
ALTER TABLE searches ADD COLUMN pay_from BIGINT NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE searches ADD COLUMN currency TEXT NOT NULL DEFAULT '';
--bun:split
ALTER TABLE searches ADD COLUMN words TEXT NOT NULL DEFAULT '';
