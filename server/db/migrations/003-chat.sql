-- What the person keeps of the chat playground; title and content are sealed under the installation's key.
CREATE TABLE chat_records (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('conversation', 'preset')),
  updated_ms INTEGER NOT NULL,
  title BLOB NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX chat_records_updated ON chat_records (kind, updated_ms);

-- Sizes a person set for a chat pack, as JSON, over those of its manifest.
CREATE TABLE pack_options (
  pack TEXT PRIMARY KEY,
  options TEXT NOT NULL
) STRICT;
