/** Texts that every page shares: the shell, errors, dialogs. */
export const frame = {
  shell: {
    skip: 'Skip to content',
    loading: 'Loading',
    navigation: 'Main',
    home: 'Lokal, welcome page',
    playgrounds: 'Playgrounds',
    service: 'Service',
    machine: 'This machine',
    connected: 'Connected to the server',
    connecting: 'Connecting to the server',
    disconnected: 'The server does not answer; trying again',
    theme: 'Colors: {scheme}. Change',
    scheme: { auto: 'as the system', light: 'light', dark: 'dark' },
  },
  meter: {
    label: 'Engines and memory',
    none: 'No engine loaded',
    engines: { one: '{count} engine', other: '{count} engines' },
    memory: '{used} of {most}',
    running: { one: '{count} request', other: '{count} requests' },
  },
  problem: {
    code: 'Error',
    param: 'Field',
    request: 'Request',
    copy_request: 'Copy request id',
    retry: 'Try again',
    file_empty: 'This file is empty.',
    file_belied:
      'This file is named .{ending}, but nothing of such a file is in it: it is damaged, or named wrongly.',
    left_out: 'Left out, since such files are not read: {names}',
    hidden_left_out: { one: '{count} hidden file is left out', other: '{count} hidden files are left out' },
    file_too_large: 'This file has {size}; at most {most} can be read at a time.',
    offline: 'Lokal is not answering. Is the server still running?',
    unknown: 'Something went wrong.',
  },
  offline: {
    title: 'Lokal is not answering',
    banner:
      'What is on this page stays. Start the server again as before, such as with “{command}” and the same LOKAL_HOME if you had set one; the page goes on by itself once it answers.',
    text: 'The interface has loaded, but the server behind it does not reply. Start it again with “{command}”; this page goes on by itself once it answers.',
  },
  crash: {
    title: 'This page has run into a defect',
    text: 'The server is not affected and goes on answering. Loading the page again usually helps.',
    reload: 'Load again',
  },
  sign_in: {
    title: 'Open Lokal from its own address',
    why: 'The console belongs to the person at this machine, so it opens only with a one-time address. This browser has no session, or its session has ended.',
    how: 'Ask for a new address in the folder of Lokal, then open what it prints:',
    command: 'Command for a new console address',
    restart:
      'Starting Lokal anew prints one as well. Programs do not need this page: they use /v1 with an API key.',
  },
  not_installed: {
    title: 'No pack can answer this yet',
    text: 'This model answers once a pack is bound to its role.',
    open: 'Go to packs',
  },
  code: {
    copied: 'Copied',
    copy: 'Copy',
    curl: 'curl',
    javascript: 'JavaScript',
    python: 'Python',
    language: 'Language of the example',
    key_note: 'Put one of your keys into the environment variable LOKAL_API_KEY first.',
  },
  data: {
    confidence: 'Confidence {value}',
  },
  dialog: {
    close: 'Close',
    cancel: 'Cancel',
    undo: 'Undo',
  },
} as const;
