-- Every connection out of this machine that was asked for: to where and why, never what went over it.
CREATE TABLE connections (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  time_ms INTEGER NOT NULL,
  key_id TEXT,
  key_name TEXT,
  request_id TEXT,
  host TEXT NOT NULL,
  asked_by TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('allowed', 'refused', 'failed')),
  reason TEXT NOT NULL
) STRICT;
