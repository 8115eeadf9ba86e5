-- Few boards are sick, and the fleet guard looks at all of them, however long ago they were read.
CREATE INDEX boards_sick ON boards (sick_since) WHERE sick_since > 0;
