CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  name TEXT NOT NULL,
  class TEXT NOT NULL CHECK (class IN ('live', 'test')),
  plan TEXT NOT NULL CHECK (plan IN ('free', 'professional', 'enterprise')),
  scopes TEXT NOT NULL,
  models TEXT,
  allowed_cidrs TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  last_used INTEGER,
  revoked INTEGER,
  replaces TEXT,
  replaced_by TEXT,
  overlap_ends INTEGER
) STRICT;

-- No reference to keys: usage stays, with its label, whatever becomes of the key.
CREATE TABLE usage (
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  key_name TEXT NOT NULL,
  requests INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  images INTEGER NOT NULL,
  frames INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  PRIMARY KEY (day, key_id, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE request_log (
  sequence INTEGER PRIMARY KEY,
  entry TEXT NOT NULL
) STRICT;

CREATE TABLE idempotency (
  id TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  sealed BLOB NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotency_expiry ON idempotency (expires_ms);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- pack NULL: the person unbound the role; no row: never chosen.
CREATE TABLE bindings (
  role TEXT PRIMARY KEY,
  pack TEXT
) STRICT;

CREATE TABLE console_credentials (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('token', 'session')),
  expires_ms INTEGER NOT NULL
) STRICT;
