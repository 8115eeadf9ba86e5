-- On PostgreSQL stamps move the mark from now on, as they do here.
SELECT 1;
