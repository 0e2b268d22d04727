-- Document templates that the person made, as JSON.
CREATE TABLE document_templates (
  name TEXT PRIMARY KEY,
  template TEXT NOT NULL
) STRICT;
