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
  electron: 'The desktop app also holds Electron and Chromium; their notices lie in its folder.',
} as const;
