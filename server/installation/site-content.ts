/** Records of an installation that go to another, and the way they come in there: added or replaced by name, never removed. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Closed, type ModelId, modelIds } from '../api/common.ts';
import { type Settings, SettingsPatch } from '../api/console/console.ts';
import { ChatPackOptions, type PackTask, packTasks, TrustRequest } from '../api/console/packs.ts';
import { CustomTemplate } from '../api/console/templates.ts';
import type { Stores } from '../db/stores.ts';
import { tasksOfRole } from '../packs/pack-tasks.ts';
import { type AuditLog, changesBetween } from '../services/audit/audit-log.ts';
import type { PackService } from '../services/console/packs.ts';
import type { SettingsService } from '../services/console/settings.ts';
import type { TrustService } from '../services/console/trust.ts';

export const SiteContent = Closed(
  {
    settings: SettingsPatch,
    trust: Type.Array(TrustRequest),
    rules: Closed({
      files: Type.Array(Closed({ name: Type.String({ maxLength: 1000 }), text: Type.String() })),
      off: Type.Array(Type.String({ maxLength: 1000 })),
    }),
    templates: Type.Array(CustomTemplate),
    bindings: Type.Array(
      Closed({
        role: Type.Enum([...modelIds]),
        task: Type.Union([Type.Null(), Type.Enum([...packTasks])]),
        pack: Type.Union([Type.Null(), Type.String({ maxLength: 200 })]),
      }),
    ),
    pack_options: Type.Record(Type.String(), ChatPackOptions),
  },
  { title: 'SiteContent' },
);
export type SiteContent = Static<typeof SiteContent>;

/** Of one machine's memory and processors. */
const ownSettings = ['memory_ceiling_mb', 'threads'] as const;

export interface SiteRecords {
  stores: Stores;
  settings: SettingsService;
  packs: PackService;
  trust: TrustService;
  audit: AuditLog;
}

export function readSiteContent({
  stores,
  settings,
  packs,
}: Pick<SiteRecords, 'stores' | 'settings' | 'packs'>): SiteContent {
  const shared = Object.entries(settings.get()).filter(([name]) => !ownSettings.some((own) => own === name));
  const installed = packs.overview().packs.filter(({ removable }) => removable);
  return {
    settings: Object.fromEntries(shared) as Partial<Settings>,
    trust: stores.trust.keys().map(({ publicKey, name }) => ({ public_key: publicKey, name })),
    rules: { files: stores.ruleFiles.all(), off: stores.rulesOff.all() },
    templates: stores.documentTemplates.all(),
    bindings: readBindings(stores),
    pack_options: Object.fromEntries(
      installed.flatMap(({ ref, chat_options: options }) => (options ? [[ref, options]] : [])),
    ),
  };
}

/** The choices a person made; a role left to its starter is none. */
function readBindings({ bindings }: Stores): SiteContent['bindings'] {
  const names = modelIds.flatMap((role): [ModelId, PackTask | null][] => [
    [role, null],
    ...(tasksOfRole[role] ?? []).map((task): [ModelId, PackTask] => [role, task]),
  ]);
  return names.flatMap(([role, task]) => {
    const pack = bindings.get(task ? (`${role}/${task}` as 'svc-vision-pro/caption') : role);
    return pack === undefined ? [] : [{ role, task, pack }];
  });
}

/** @throws Error naming the field that is wrong */
export function parseSiteContent(text: string): SiteContent {
  const content: unknown = JSON.parse(text);
  if (Value.Check(SiteContent, content)) return content;
  const [first] = Value.Errors(SiteContent, content);
  throw new Error(
    `content.json is not of this version: ${first?.instancePath || '/'} ${first?.message ?? ''}`.trim(),
  );
}

export interface SiteDifference {
  settings: Record<string, { from: unknown; to: unknown }>;
  signers: string[];
  packs: string[];
  rule_files: { added: number; replaced: number };
  rules_off: { off: string[]; on: string[] };
  templates: { added: string[]; replaced: string[] };
  bindings: { role: string; task: string | null; from: string | null; to: string | null }[];
}

/** @param packs refs that come new */
export function compareSite(
  content: SiteContent,
  { stores, settings }: SiteRecords,
  packs: string[],
): SiteDifference {
  const files = new Map(stores.ruleFiles.all().map(({ name, text }) => [name, text]));
  const changed = content.rules.files.filter(({ name, text }) => files.get(name) !== text);
  const off = stores.rulesOff.all();
  const templates = content.templates.filter(
    (template) => JSON.stringify(stores.documentTemplates.get(template.name)) !== JSON.stringify(template),
  );
  const known = new Set(stores.documentTemplates.all().map(({ name }) => name));
  return {
    settings: changesBetween(settings.get(), { ...settings.get(), ...content.settings }),
    signers: newSigners(content, stores).map(({ name }) => name),
    packs,
    rule_files: {
      added: changed.filter(({ name }) => !files.has(name)).length,
      replaced: changed.filter(({ name }) => files.has(name)).length,
    },
    rules_off: {
      off: content.rules.off.filter((id) => !off.includes(id)),
      on: off.filter((id) => !content.rules.off.includes(id)),
    },
    templates: {
      added: templates.filter(({ name }) => !known.has(name)).map(({ name }) => name),
      replaced: templates.filter(({ name }) => known.has(name)).map(({ name }) => name),
    },
    bindings: content.bindings.flatMap(({ role, task, pack }) => {
      const from = stores.bindings.get(task ? (`${role}/${task}` as 'svc-vision-pro/caption') : role) ?? null;
      return from === pack ? [] : [{ role, task, from, to: pack }];
    }),
  };
}

const newSigners = ({ trust }: SiteContent, { trust: store }: Stores) =>
  trust.filter(({ public_key: key }) => !store.key(key));

/** Grounds of a pack’s admission: known signers and the policy. */
export function applyPolicy(content: SiteContent, { stores, settings, trust }: SiteRecords): void {
  for (const signer of newSigners(content, stores)) trust.add(signer);
  // A machine that is sealed already keeps its seal closed before its addresses are touched.
  settings.update(content.settings as Partial<Settings>);
}

/** The rest, once the packs are there. @throws ApiError when a pack that is bound is not here */
export function applyRecords(content: SiteContent, { stores, packs, audit }: SiteRecords): void {
  const { rules, templates, bindings, pack_options: options } = content;
  audit.act({ action: 'rules.import', changes: { files: rules.files.length } }, () =>
    stores.ruleFiles.add(rules.files),
  );
  const off = stores.rulesOff.all();
  const on = off.filter((id) => !rules.off.includes(id));
  audit.act({ action: 'rules.switch', changes: { off: rules.off.length, on: on.length } }, () => {
    stores.rulesOff.set(on, false);
    stores.rulesOff.set(rules.off, true);
  });
  for (const template of templates)
    audit.act(
      {
        action: 'template.save',
        target: template.name,
        changes: { replaced: stores.documentTemplates.get(template.name) !== null },
      },
      () => stores.documentTemplates.put(template),
    );
  for (const [ref, value] of Object.entries(options))
    audit.act({ action: 'pack.options', target: ref, changes: value }, () =>
      stores.packOptions.set(ref, value),
    );
  for (const { role, task, pack } of bindings) packs.bind(role, pack, task ?? undefined);
}
