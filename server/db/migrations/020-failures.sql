-- The latest unexpected errors, as JSON without payloads (server/api/diagnostics.ts); bounded by the store.
CREATE TABLE failures (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  record TEXT NOT NULL
) STRICT;
