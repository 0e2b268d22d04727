/**
 * svc-guard-max: threat analysis of logs. Rules, signatures, statistics and one linear judge of words; no tensors, and every
 * finding can be traced to a line.
 */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Engine, EngineOptions, EnginePack } from '../engine.ts';
import { EngineError } from '../engine.ts';
import { analyzeText } from './analyze.ts';
import { loadAttackTable, techniquesOf } from './attack/table.ts';
import { loadKnowledge } from './knowledge.ts';
import { RuleSet } from './rule-set.ts';
import type { ImportResult, RuleFile, UserRules } from './types.ts';

/** 32 KB of UTF-8, as the contract says. */
const MAX_BYTES = 32_768;
const MAX_RULE_FILES = 20_000;

export type ThreatEngine = Awaited<ReturnType<typeof openEngine>>;

async function readFolder(folder: string): Promise<RuleFile[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => /\.ya?ml$/iu.test(name)).toSorted();
  if (files.length > MAX_RULE_FILES)
    throw new EngineError('invalid_value', 'the rule folder holds too many files', 'rules');
  return files.map((name) => ({ name: relative('.', name), text: readFileSync(join(folder, name), 'utf8') }));
}

/** The pack's `rules` folder, and those that its manifest's `rules` names: inside the pack, or absolute for other people's. */
async function loadPackRules(pack: EnginePack, rules: RuleSet): Promise<ImportResult['errors']> {
  const extra = Array.isArray(pack.manifest.rules)
    ? pack.manifest.rules.filter((item) => typeof item === 'string')
    : [];
  const errors: ImportResult['errors'] = [];
  const own = join(pack.folder, 'rules');
  for (const folder of [own, ...extra.map((name) => resolve(pack.folder, name))]) {
    const origin = folder === own || folder.startsWith(pack.folder + sep) ? 'built-in' : 'imported';
    errors.push(...rules.add(await readFolder(folder), origin).errors);
  }
  return errors;
}

function replaceRules(rules: RuleSet, { files, disabled }: UserRules): ImportResult['errors'] {
  rules.removeImported();
  rules.setEnabled(rules.disabled, true);
  rules.setEnabled(disabled, false);
  return rules.add(files, 'imported').errors;
}

/**
 * @throws EngineError invalid_value when a rule folder holds more than 20,000 files
 * @throws EngineError internal_error when a data file of the pack is missing or wrong
 */
export async function openEngine(pack: EnginePack, options: EngineOptions) {
  const table = loadAttackTable(pack.folder);
  const knowledge = await loadKnowledge(pack);
  const rules = new RuleSet();
  const errors = await loadPackRules(pack, rules);
  if (options.rules) errors.push(...replaceRules(rules, options.rules));
  // Compiles the index and the web signatures now, so that the first caller does not wait for it.
  analyzeText('GET /warm?up=1 HTTP/1.1', 'en', { rules, table, knowledge });

  const methods = {
    async analyze({ text, language }, { signal }) {
      signal.throwIfAborted();
      if (Buffer.byteLength(text) > MAX_BYTES)
        throw new EngineError('input_too_long', 'input is longer than 32,768 bytes', 'input');
      return analyzeText(text, language, { rules, table, knowledge });
    },
    async rules() {
      return rules.list().map((rule) => ({ ...rule, techniques: techniquesOf(rule.tags, table) }));
    },
    async setRules({ enable = [], disable = [] }) {
      rules.setEnabled(enable, true);
      rules.setEnabled(disable, false);
      return { rules: rules.size };
    },
    async importRules({ files }) {
      if (files.length > MAX_RULE_FILES)
        throw new EngineError('too_many_inputs', 'more than 20,000 rule files', 'files');
      return rules.add(files, 'imported');
    },
    async replaceRules(kept) {
      replaceRules(rules, kept);
      return { rules: rules.size };
    },
  } satisfies Engine<'threat'>['methods'];
  const info = {
    provider: 'cpu',
    rules: rules.size,
    ruleErrors: errors,
    attackVersion: table.version,
    techniques: table.size,
  };
  return { methods, info, close: async () => {} } satisfies Engine<'threat'>;
}
