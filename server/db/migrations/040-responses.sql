-- Answers of /v1/responses that a person has kept: the answer and its conversation, sealed under the installation's key.
CREATE TABLE responses (
  id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (key_id, id)
) STRICT;
CREATE INDEX responses_created ON responses (created_ms);
