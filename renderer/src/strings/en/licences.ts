export const licences = {
  title: 'Licences',
  lead: 'Lokal is licensed under the Apache License 2.0. It holds these parts of other people, each under its own licence.',
  parts: 'Parts',
  shown: { one: '{count} part', other: '{count} parts' },
  filter: 'Filter parts',
  none_match: 'No part matches the filter',
  name: 'Part',
  version: 'Version',
  licence: 'Licence',
  read: 'Read',
  read_name: 'Read the licence of {name}',
  unlisted: 'This copy has no list of its parts',
  unlisted_note:
    'It runs from its source, where the licence of each part lies beside it in node_modules; “npm run licences” writes the list. Released copies bring theirs.',
  electron: 'The desktop app also holds Electron and Chromium; their notices lie in its folder.',
} as const;
