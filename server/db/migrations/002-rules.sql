-- Sigma rules that the person imported. A file that comes again moves to the end: of two rules with one id the later holds.
CREATE TABLE rule_files (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL
) STRICT;

-- Ids of rules that are off, own and imported.
CREATE TABLE rules_off (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE
) STRICT;
