-- Remote engines: a record as JSON, its secret sealed under the installation's key with the id as context, and the last trial.
CREATE TABLE remote_engines (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL,
  secret BLOB,
  trial TEXT,
  created_ms INTEGER NOT NULL
) STRICT;

-- Of each role that a person has set: its targets and how they are chosen.
CREATE TABLE engine_routes (
  role TEXT PRIMARY KEY,
  route TEXT NOT NULL
) STRICT;
