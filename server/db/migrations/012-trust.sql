-- Signers whose packs count as known, and the latest signature of each that was imported, by pack.
CREATE TABLE trusted_keys (
  public_key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  added_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE pack_signatures (
  pack TEXT NOT NULL,
  public_key TEXT NOT NULL,
  version TEXT NOT NULL,
  signed TEXT NOT NULL,
  PRIMARY KEY (pack, public_key)
) STRICT;
