-- Answered lines of batches, sealed, until their output files are made: a restart goes on behind them.
CREATE TABLE batch_lines (
  owner TEXT NOT NULL,
  batch TEXT NOT NULL,
  line INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (owner, batch, line)
) STRICT;
