-- Stamps a writing transaction: later than the mark, whatever the clock says. Before that it registers, as a shared advisory
-- lock whose key is a moment not later than the stamp; the lock goes when the transaction has ended and what it wrote can be
-- seen. The transaction also moves the mark to its stamp, unless another one is about to, or its commit does not wait for the
-- disk, or the stamp is ahead of the clock. Then it registers at the moment after the old mark, so that nobody is promised
-- anything by the new one before that is on the disk.
CREATE OR REPLACE FUNCTION boardwatch_stamp() RETURNS BIGINT LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
	moves BOOLEAN;
	mark BIGINT;
	stamp BIGINT;
BEGIN
	moves := current_setting('synchronous_commit') <> 'off' AND pg_try_advisory_xact_lock((25208::BIGINT << 48) + 3);
	SELECT last_value INTO mark FROM boardwatch_mark;
	stamp := greatest(boardwatch_now(), mark + 1);
	PERFORM pg_advisory_xact_lock_shared((25207::BIGINT << 48) | CASE WHEN moves THEN mark + 1 ELSE stamp END);
	stamp := greatest(stamp, boardwatch_now(), (SELECT last_value + 1 FROM boardwatch_mark));
	IF moves AND stamp <= boardwatch_now() THEN
		PERFORM setval('boardwatch_mark', stamp);
	END IF;
	RETURN stamp;
END
$$;
--bun:split
-- The last moment at which nothing can appear any more: before the stamp of every transaction that is still open, and not
-- after the mark, which stamps that are taken later pass. Stamps move the mark. Where there are none it is moved here, which
-- takes a write to the disk, so it is done four times a second at most; between these the moment is a little earlier than it could be.
CREATE OR REPLACE FUNCTION boardwatch_horizon() RETURNS BIGINT LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
	moment BIGINT;
	mark BIGINT;
	oldest BIGINT;
BEGIN
	moment := boardwatch_now() - 1;
	SELECT last_value INTO mark FROM boardwatch_mark;
	IF moment > mark + 250 AND pg_try_advisory_xact_lock((25208::BIGINT << 48) + 3) THEN
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
