/** The table of commands: help, completion scripts and the manual page are made from it. Each is loaded when it is called. */
import type { CommandEntry } from './command.ts';

export const commands: Record<string, CommandEntry> = {
  serve: {
    summary: 'start the server',
    load: async () => (await import('./server/serve.ts')).serve,
    operands: 0,
  },
  'console-url': {
    summary: 'print a link into the console of the running server',
    load: async () => (await import('./server/console-url.ts')).consoleUrl,
    operands: 0,
  },
  keys: {
    summary: 'list, create, change, rotate and revoke API keys',
    load: async () => (await import('./site/keys.ts')).keys,
    operands: { list: 1, create: 2, change: 2, rotate: 2, revoke: 2 },
  },
  packs: {
    summary: 'list, import, export, bind and remove packs; make a key to sign them with',
    load: async () => (await import('./site/packs.ts')).packs,
    operands: { list: 1, import: 2, bind: 3, remove: 2, export: 3, keygen: 2 },
  },
  engines: {
    summary: 'remote engines: list, add, try, drain and remove them; where each service goes',
    load: async () => (await import('./site/engines.ts')).engines,
    operands: { list: 1, add: 3, test: 2, drain: 2, remove: 2 },
  },
  rules: {
    summary: 'list, import and switch the Sigma rules of the threat analysis',
    load: async () => (await import('./site/rules.ts')).rules,
    operands: { list: 1, import: 2, clear: 1 },
  },
  trust: {
    summary: 'the signers whose packs count as known',
    load: async () => (await import('./trust/trust.ts')).trust,
    operands: { list: 1, add: 2, remove: 2 },
  },
  sign: {
    summary: 'write a signature beside a file',
    operand: 'FILE',
    load: async () => (await import('./trust/sign.ts')).sign,
    operands: 1,
  },
  verify: {
    summary: 'who signed a pack, a report or a file',
    operand: 'FILE',
    load: async () => (await import('./trust/verify.ts')).verify,
    operands: 1,
  },
  licences: {
    summary: 'what of other people is in Lokal, and under which licences',
    load: async () => (await import('./trust/licences.ts')).licences,
    operands: 1,
  },
  audit: {
    summary: 'who changed what: list, export, verify',
    load: async () => (await import('./trust/audit.ts')).audit,
    operands: { list: 1, export: 2, verify: 2 },
  },
  chat: {
    summary: 'talk with the bound chat pack, or ask it one thing',
    operand: '[TEXT]',
    load: async () => (await import('./ask/chat.ts')).chat,
    operands: 'any',
  },
  embed: {
    summary: 'vectors of texts',
    operand: '[TEXT]',
    load: async () => (await import('./ask/texts.ts')).embed,
    operands: 'any',
  },
  moderate: {
    summary: 'the categories a text falls into',
    operand: '[TEXT]',
    load: async () => (await import('./ask/texts.ts')).moderate,
    operands: 'any',
  },
  threat: {
    summary: 'what a log, an alert or a request tells',
    operand: '[TEXT]',
    load: async () => (await import('./ask/threat.ts')).threat,
    operands: 'any',
  },
  image: {
    summary: 'caption, objects and scene of a picture or video',
    operand: 'FILE',
    load: async () => (await import('./ask/files.ts')).image,
    operands: 1,
  },
  search: {
    summary: 'paragraphs of text files, the most relevant first',
    operand: 'QUERY FILE…',
    load: async () => (await import('./ask/files.ts')).search,
    operands: 'any',
  },
  parse: {
    summary: 'read one document',
    operand: 'FILE',
    load: async () => (await import('./parse.ts')).parse,
    operands: 1,
  },
  batch: {
    summary: 'answer each line of a file: run, output, list, cancel',
    load: async () => (await import('./ask/batch.ts')).batch,
    operands: { run: 2, output: 2, list: 1, cancel: 2 },
  },
  watch: {
    summary: 'read every document that is dropped into a folder',
    operand: 'FOLDER',
    load: async () => (await import('./folders/documents.ts')).watch,
    operands: 1,
  },
  redact: {
    summary: 'black personal data and fields out of documents',
    operand: 'FILE|FOLDER',
    load: async () => (await import('./folders/documents.ts')).redact,
    operands: 1,
  },
  anonymize: {
    summary: 'mask, rename or encrypt personal data in texts',
    operand: 'FILE|FOLDER',
    load: async () => (await import('./folders/documents.ts')).anonymize,
    operands: 1,
  },
  backup: {
    summary: 'copy keys, usage, settings and packs, also while the server runs',
    operand: 'FOLDER',
    load: async () => (await import('./server/backup.ts')).backup,
    operands: 1,
  },
  restore: {
    summary: 'bring a backup back',
    operand: 'FOLDER',
    load: async () => (await import('./server/backup.ts')).restore,
    operands: 1,
  },
  update: {
    summary: 'replace this program by that of a signed archive, or go back',
    operand: 'FILE',
    load: async () => (await import('./server/update.ts')).update,
    operands: 1,
  },
  site: {
    summary:
      'packs, rules, templates, settings and signers of one installation for others, in one signed file',
    load: async () => (await import('./site/site.ts')).site,
    operands: { export: 2, apply: 2 },
  },
  'prove-offline': {
    summary: 'prove in an empty network that nothing reaches out',
    load: async () => (await import('./trust/prove-offline.ts')).proveOffline,
    operands: 0,
  },
  doctor: {
    summary: 'what is here, and what is missing',
    load: async () => (await import('./server/doctor.ts')).doctor,
    operands: 0,
  },
  usage: {
    summary: 'what keys have used, by day and model',
    load: async () => (await import('./server/server-state.ts')).usage,
    operands: 0,
  },
  logs: {
    summary: 'the latest requests; --follow shows them as they come',
    load: async () => (await import('./server/server-state.ts')).logs,
    operands: 0,
  },
  ps: {
    summary: 'the packs that are loaded now',
    load: async () => (await import('./server/server-state.ts')).ps,
    operands: 0,
  },
  stop: {
    summary: 'unload a pack, or all',
    operand: '[PACK]',
    load: async () => (await import('./server/server-state.ts')).stop,
    operands: 1,
  },
  config: {
    summary: 'the settings: list, get, set',
    load: async () => (await import('./server/server-state.ts')).config,
    operands: { list: 1, get: 2, set: 3 },
  },
  mcp: {
    summary: 'the Model Context Protocol on standard input and output',
    load: async () => (await import('./mcp.ts')).mcp,
    operands: 0,
  },
  completion: {
    summary: 'a completion script for bash, zsh, fish or powershell',
    operand: 'SHELL',
    load: async () => (await import('./shell/completion.ts')).createCompletion(commands),
    operands: 1,
  },
  man: {
    summary: 'the manual page',
    load: async () => (await import('./shell/manual.ts')).createManual(commands),
    operands: 0,
  },
};

/** The list of commands, as `lokal --help` prints it. */
export function listCommands(): string {
  const rows = Object.entries(commands).map(([name, { operand, summary }]) => [
    operand ? `${name} ${operand}` : name,
    summary,
  ]);
  const width = Math.max(...rows.map(([name]) => name!.length)) + 2;
  return rows.map(([name, summary]) => `  ${name!.padEnd(width)}${summary}`).join('\n');
}
