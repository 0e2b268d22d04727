-- A row holds a group of entries, `last` being the number of its last one: a row for each entry cost more than all else of the log.
ALTER TABLE request_log RENAME TO request_log_before;
CREATE TABLE request_log (
  last INTEGER PRIMARY KEY,
  entries TEXT NOT NULL
) STRICT;
INSERT INTO request_log SELECT sequence, '[' || entry || ']' FROM request_log_before;
DROP TABLE request_log_before;
