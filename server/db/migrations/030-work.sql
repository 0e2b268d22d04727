-- Work of the playgrounds that the person keeps across restarts; head and content are sealed under the installation's key.
CREATE TABLE work_records (
  id TEXT PRIMARY KEY,
  updated_ms INTEGER NOT NULL,
  head BLOB NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX work_records_updated ON work_records (updated_ms);
