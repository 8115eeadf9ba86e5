-- Why a check was not ok, as one of a closed set; the sentence beside it may be reworded at any time.
ALTER TABLE checks ADD COLUMN cause TEXT NOT NULL DEFAULT '';
