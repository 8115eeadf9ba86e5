-- A board of which pages of roles are still to be read has no fingerprint, so that its next reading is a full one.
UPDATE boards SET fingerprint = '' WHERE state LIKE '%"undescribed":%';
