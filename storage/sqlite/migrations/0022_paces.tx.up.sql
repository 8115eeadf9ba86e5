-- The pace of hosts is kept in memory here. The step has the number that it has in PostgreSQL.
SELECT 1;
