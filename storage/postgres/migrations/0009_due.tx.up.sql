-- A claim that leaves systems out goes through the others one by one.
CREATE INDEX boards_system ON boards (system, next_check_at) WHERE next_check_at IS NOT NULL;
