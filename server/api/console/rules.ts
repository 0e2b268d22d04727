/** /console/rules: the Sigma rules of svc-guard-max, its own and those the person imports. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable } from '../common.ts';

export const maxRuleFiles = 20_000;

export const Rule = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    level: Type.Enum(['informational', 'low', 'medium', 'high', 'critical']),
    techniques: Type.Array(Type.String(), { description: 'ATT&CK ids' }),
    author: Nullable(Type.String()),
    origin: Type.Enum(['built-in', 'imported']),
    file: Type.String({ description: 'Path inside the pack, or the name it was imported under.' }),
    enabled: Type.Boolean(),
  },
  { title: 'Rule' },
);
export type Rule = Static<typeof Rule>;

export const RuleList = Type.Object({ data: Type.Array(Rule) }, { title: 'RuleList' });
export type RuleList = Static<typeof RuleList>;

export const RuleImportRequest = Closed(
  {
    files: Type.Optional(
      Type.Array(Closed({ name: Type.String({ minLength: 1, maxLength: 400 }), text: Type.String() }), {
        maxItems: maxRuleFiles,
        description: 'Sigma rules as YAML; a name seen before replaces that file.',
      }),
    ),
    archive: Type.Optional(
      Type.String({ minLength: 1, description: 'base64 of a zip; its .yml and .yaml entries are read.' }),
    ),
  },
  { title: 'RuleImportRequest' },
);
export type RuleImportRequest = Static<typeof RuleImportRequest>;

export const RuleImport = Type.Object(
  {
    files: Type.Integer({ minimum: 0, description: 'Files kept.' }),
    rules: Type.Integer({ minimum: 0, description: 'Rules in them.' }),
    errors: Type.Array(Type.Object({ file: Type.String(), message: Type.String() }), {
      description: 'Files that were not kept, and why.',
    }),
  },
  { title: 'RuleImport' },
);
export type RuleImport = Static<typeof RuleImport>;

export const RuleSwitch = Closed(
  {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 400 }), { minItems: 1, maxItems: 100_000 }),
    enabled: Type.Boolean(),
  },
  { title: 'RuleSwitch' },
);
export type RuleSwitch = Static<typeof RuleSwitch>;
