-- Use is told apart by who answered ('': this machine), and says how many requests' tokens were estimated.
CREATE TABLE usage_by_upstream (
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  upstream TEXT NOT NULL,
  key_name TEXT NOT NULL,
  requests INTEGER NOT NULL,
  estimated INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  images INTEGER NOT NULL,
  frames INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  PRIMARY KEY (day, key_id, model, upstream)
) STRICT, WITHOUT ROWID;

INSERT INTO usage_by_upstream
SELECT day, key_id, model, '', key_name, requests, 0, prompt_tokens, completion_tokens, images, frames, pages FROM usage;

DROP TABLE usage;
ALTER TABLE usage_by_upstream RENAME TO usage;
