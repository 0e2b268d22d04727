-- Administrative acts, each line bound to the one before it by its hash; audit_head tells how many there must be.
CREATE TABLE audit_log (
  sequence INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT,
  changes TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sequence INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'append only'); END;
