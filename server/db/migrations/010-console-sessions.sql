-- Sessions have two secrets now, an end by idleness and a name to end them by; those of one secret are over.
DELETE FROM console_credentials WHERE kind = 'session';

CREATE TABLE console_sessions (
  id TEXT PRIMARY KEY,
  cookie_hash TEXT NOT NULL UNIQUE,
  page_hash TEXT NOT NULL,
  agent TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  used_ms INTEGER NOT NULL
) STRICT;
