-- The mark: no moment that readers were promised, and no moment much later than that, is ahead of it. It outlives the server
-- and does not follow its clock backwards. As a sequence it is read and set at once, whatever transactions are open.
CREATE SEQUENCE boardwatch_mark AS BIGINT MINVALUE 0 START 0;
--bun:split
SELECT setval('boardwatch_mark', (SELECT COALESCE(max(last_checked_at), 0) FROM boards));
--bun:split
-- Stamps a writing transaction: later than the mark, whatever the clock says. Before it reads either it registers, as a
-- shared advisory lock whose key is a moment not later than the stamp; the lock goes when the transaction has ended and what
-- it wrote can be seen. Like the next function it needs no rights of its caller to the mark.
CREATE OR REPLACE FUNCTION boardwatch_stamp() RETURNS BIGINT LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
	registered BIGINT;
BEGIN
	registered := greatest(boardwatch_now(), (SELECT last_value + 1 FROM boardwatch_mark));
	PERFORM pg_advisory_xact_lock_shared((25207::BIGINT << 48) | registered);
	RETURN greatest(registered, boardwatch_now(), (SELECT last_value + 1 FROM boardwatch_mark));
END
$$;
--bun:split
-- The last moment at which nothing can appear any more: before the stamp of every transaction that is still open, and not
-- after the mark, which stamps that are taken later pass. Moving the mark on takes a write to the disk, so it is done a hundred
-- times a second at most; between these the moment is a little earlier than it could be.
CREATE OR REPLACE FUNCTION boardwatch_horizon() RETURNS BIGINT LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
	moment BIGINT;
	mark BIGINT;
	oldest BIGINT;
BEGIN
	moment := boardwatch_now() - 1;
	SELECT last_value INTO mark FROM boardwatch_mark;
	IF moment > mark + 10 THEN
		PERFORM pg_advisory_xact_lock((25208::BIGINT << 48) + 3);
		SELECT last_value INTO mark FROM boardwatch_mark;
		IF moment > mark THEN
			PERFORM setval('boardwatch_mark', moment);
			mark := moment;
		END IF;
	END IF;
	SELECT min(((classid::BIGINT & 65535) << 32) | objid::BIGINT) INTO oldest
	FROM pg_locks
	WHERE locktype = 'advisory' AND objsubid = 1 AND classid::BIGINT >> 16 = 25207
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
	RETURN least(mark, oldest - 1);
END
$$;
