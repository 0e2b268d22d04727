-- What the person and their programs keep, in one table: head and content are sealed under the installation's key, each for
-- its own place. `owner` is the key that reaches a record, empty for the person's own.
CREATE TABLE sealed_records (
  kind TEXT NOT NULL,
  owner TEXT NOT NULL,
  id TEXT NOT NULL,
  updated_ms INTEGER NOT NULL,
  head BLOB NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (kind, owner, id)
) STRICT;
CREATE INDEX sealed_records_updated ON sealed_records (kind, updated_ms);
INSERT INTO sealed_records SELECT kind, '', id, updated_ms, title, content FROM chat_records;
INSERT INTO sealed_records SELECT 'work', '', id, updated_ms, head, content FROM work_records;
INSERT INTO sealed_records SELECT 'response', key_id, id, created_ms, x'', content FROM responses;
DROP TABLE chat_records;
DROP TABLE work_records;
DROP TABLE responses;
