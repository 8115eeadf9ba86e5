-- Since when healthy readings miss a role, whether the first of them had lost too many at once, and what the role's own
-- page said before it was to close.
ALTER TABLE jobs ADD COLUMN missed_since BIGINT NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE jobs ADD COLUMN mass_loss BIGINT NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE jobs ADD COLUMN testimony TEXT NOT NULL DEFAULT '';
--bun:split
-- Who tracked a board that became another one: they alone see the roles that stayed behind on it.
CREATE TABLE former (
	account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
	board_id   TEXT COLLATE "C" NOT NULL REFERENCES boards (id),
	PRIMARY KEY (account_id, board_id)
);
--bun:split
-- Since when a board that was sick is well again; 0 while it is sick.
ALTER TABLE boards ADD COLUMN well_since BIGINT NOT NULL DEFAULT 0;
