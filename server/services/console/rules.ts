/**
 * The Sigma rules of svc-guard-max as the person sees them. What is imported and switched off is kept in the database and
 * handed to the engine at each opening; a change goes to the running engine as well, so nothing is parsed twice.
 */
import { maxRuleFiles, type Rule, type RuleImport, type RuleList } from '../../api/console/rules.ts';
import type { RuleFileStore } from '../../db/choices/rule-files.ts';
import type { RulesOffStore } from '../../db/choices/rules-off.ts';
import type { UserRules } from '../../engine/threat/types.ts';
import { ApiError } from '../../errors.ts';
import type { Engines } from '../../hosts/engines.ts';
import type { Act, AuditLog } from '../audit/audit-log.ts';

export interface RuleService {
  list(signal: AbortSignal): Promise<RuleList>;
  /** Keeps the files without errors and names the others. @throws ApiError too_many_inputs, payload_too_large */
  import(files: UserRules['files'], signal: AbortSignal): Promise<RuleImport>;
  /** @throws ApiError not_found naming an id that no rule has */
  switch(ids: string[], enabled: boolean, signal: AbortSignal): Promise<void>;
  /** Forgets every imported rule. */
  clear(): Promise<void>;
  /** Brings back what was cleared last, unless a file of that name came since. @throws ApiError not_found after ten minutes */
  restore(): Promise<void>;
  /** Tells the running engine, if there is one, what another process changed. */
  renew(): Promise<void>;
}

export interface RuleStores {
  ruleFiles: RuleFileStore;
  rulesOff: RulesOffStore;
}

const role = 'svc-guard-max';
/** Of rules switched together, in a line of the audit log. */
const mostIdsTold = 20;
/** Cleared rules can be brought back for so long. */
const undoMs = 600_000;
const maxKeptBytes = 64 * 1024 * 1024;
/** Requests of others are answered between two batches. */
const batchFiles = 200;
const deadlineMs = 300_000;
/** A change is short and runs to its end, so that the engine never has what is not kept. */
const unbroken = { signal: new AbortController().signal, deadlineMs };

export const readUserRules = ({ ruleFiles, rulesOff }: RuleStores): UserRules => ({
  files: ruleFiles.all(),
  disabled: rulesOff.all(),
});

export function createRuleService({
  engines,
  stores,
  audit,
}: {
  engines: Engines;
  stores: RuleStores;
  audit: AuditLog;
}): RuleService {
  const { ruleFiles, rulesOff } = stores;
  const version = () => `${ruleFiles.version()} ${rulesOff.version()}`;
  let known = version();
  let cleared: UserRules['files'] = [];

  /** Writes what the engine has taken, and knows the change for its own. */
  function keep(act: Act, write: () => void): void {
    const foreign = version() !== known;
    audit.act(act, write);
    if (!foreign) known = version();
  }

  async function renew(): Promise<void> {
    const current = version();
    if (current === known) return;
    known = current;
    // An engine that is not running reads them when it is opened.
    if (!engines.served(role)?.provider) return;
    await engines.call(role, 'replaceRules', readUserRules(stores), unbroken);
  }

  async function listRules(signal: AbortSignal): Promise<Rule[]> {
    await renew();
    const rules = await engines.call(role, 'rules', null, { signal, deadlineMs });
    return rules.map(toRule);
  }

  function checkRoom(files: UserRules['files']): void {
    const kept = ruleFiles.size();
    if (kept.files + files.length > maxRuleFiles)
      throw new ApiError('too_many_inputs', `At most ${maxRuleFiles} rule files can be kept.`, {
        param: 'files',
      });
    const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), kept.bytes);
    if (bytes > maxKeptBytes)
      throw new ApiError('payload_too_large', 'At most 64 MiB of rules can be kept.', { param: 'files' });
  }

  return {
    list: async (signal) => ({ data: await listRules(signal) }),

    async import(given, signal) {
      // Of two files with one name the later is meant, as it would be in two imports.
      const files = [...new Map(given.map((file) => [file.name, file])).values()];
      checkRoom(files);
      await renew();
      const sum: RuleImport = { files: 0, rules: 0, errors: [] };
      for (let at = 0; at < files.length; at += batchFiles) {
        signal.throwIfAborted();
        const batch = files.slice(at, at + batchFiles);
        const params = { files: batch };
        const { imported, errors } = await engines.call(role, 'importRules', params, unbroken);
        const refused = new Set(errors.map(({ file }) => file));
        const good = batch.filter(({ name }) => !refused.has(name));
        const changes = { files: good.length, rules: imported, refused: refused.size };
        keep({ action: 'rules.import', changes }, () => ruleFiles.add(good));
        sum.files += good.length;
        sum.rules += imported;
        sum.errors.push(...errors);
      }
      return sum;
    },

    async switch(ids, enabled, signal) {
      const there = new Set((await listRules(signal)).map(({ id }) => id));
      const missing = ids.find((id) => !there.has(id));
      if (missing !== undefined)
        throw new ApiError('not_found', `There is no rule ${missing}.`, { param: 'ids' });
      await engines.call(role, 'setRules', enabled ? { enable: ids } : { disable: ids }, unbroken);
      const changes = { enabled, rules: ids.length, ids: ids.slice(0, mostIdsTold) };
      keep({ action: 'rules.switch', changes }, () => rulesOff.set(ids, !enabled));
    },

    // Needs no engine: it is the way out where imported rules keep one from opening.
    async clear() {
      const files = ruleFiles.all();
      audit.act({ action: 'rules.clear', changes: { files: files.length } }, () => ruleFiles.clear());
      cleared = files;
      setTimeout(() => {
        if (cleared === files) cleared = [];
      }, undoMs).unref();
      await renew();
    },

    async restore() {
      if (cleared.length === 0)
        throw new ApiError('not_found', 'There are no cleared rules to bring back any more.');
      const since = new Set(ruleFiles.all().map(({ name }) => name));
      const files = cleared.filter(({ name }) => !since.has(name));
      checkRoom(files);
      audit.act({ action: 'rules.restore', changes: { files: files.length } }, () => ruleFiles.add(files));
      cleared = [];
      await renew();
    },

    renew,
  };
}

const toRule = ({ id, title, level, techniques, author, origin, file, enabled }: Rule): Rule => ({
  id,
  title,
  level,
  techniques,
  author,
  origin,
  file,
  enabled,
});
