/** POST /v1/moderations: safety classification (svc-shield-base) and threat analysis (svc-guard-max). */
import { type Static, Type } from 'typebox';
import { Closed, Confidence, languages, Nullable, UnixSeconds } from '../common.ts';

export const moderationCategories = [
  'violence',
  'hate_speech',
  'harassment',
  'adult_content',
  'child_safety',
  'self_harm',
  'extremism',
  'weapons',
  'illicit_activity',
  'fraud_deception',
  'cyber_abuse',
  'prompt_injection',
  'pii_exposure',
  'misinformation',
] as const;
export type ModerationCategory = (typeof moderationCategories)[number];

/** 32 KB of UTF-8; longer is 400 input_too_long, checked in the service because JSON Schema counts code points. */
export const maxModerationBytes = 32_768;

/** Inputs a request may carry; one more is 400 too_many_inputs, checked in the service so that the code is right. */
export const maxModerationInputs = 32;

const CategoryName = Type.Enum([...moderationCategories]);

export const ModerationsRequest = Closed(
  {
    model: Type.Optional(Type.String({ description: 'Default svc-shield-base.' })),
    input: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })], {
      description: 'A text of at most 32,768 bytes of UTF-8, or an array of at most 32: one result each.',
    }),
    categories: Type.Optional(Type.Array(CategoryName, { minItems: 1, uniqueItems: true })),
    thresholds: Type.Optional(
      Closed(Object.fromEntries(moderationCategories.map((name) => [name, Type.Optional(Confidence)]))),
    ),
    language: Type.Optional(
      Type.Enum([...languages], {
        description: 'Of the summary and actions of svc-guard-max; default: that of the text.',
      }),
    ),
  },
  { title: 'ModerationsRequest' },
);
export type ModerationsRequest = Static<typeof ModerationsRequest> & {
  thresholds?: Partial<Record<ModerationCategory, number>>;
};

const ModerationId = Type.String({ pattern: '^modr_[0-9a-zA-Z]+$' });
const PerCategory = <T extends Parameters<typeof Type.Record>[1]>(schema: T) =>
  Type.Record(CategoryName, schema);

export const SafetyResult = Type.Object(
  {
    id: ModerationId,
    model: Type.String(),
    created: UnixSeconds,
    results: Type.Array(
      Type.Object({
        flagged: Type.Boolean(),
        categories: Type.Partial(PerCategory(Type.Object({ flagged: Type.Boolean(), score: Confidence }))),
        category_scores: Type.Partial(PerCategory(Confidence)),
        spans: Type.Array(
          Type.Object({
            category: CategoryName,
            start: Type.Integer({ minimum: 0, description: 'UTF-16 offset, inclusive' }),
            end: Type.Integer({ minimum: 0, description: 'UTF-16 offset, exclusive' }),
            kind: Type.Optional(
              Type.String({ description: 'What was recognized, e.g. email, name or place.' }),
            ),
          }),
        ),
      }),
    ),
  },
  { title: 'SafetyResult' },
);
export type SafetyResult = Static<typeof SafetyResult>;

export const severities = ['informational', 'low', 'medium', 'high', 'critical'] as const;
export const indicatorTypes = [
  'ip',
  'domain',
  'url',
  'email',
  'md5',
  'sha1',
  'sha256',
  'cve',
  'file_path',
  'registry_key',
  'process',
  'user',
  'mac',
  'bitcoin',
] as const;

const Span = Type.Object({
  start: Type.Integer({ minimum: 0, description: 'UTF-16 offset, inclusive' }),
  end: Type.Integer({ minimum: 0, description: 'UTF-16 offset, exclusive' }),
});
const MatchedLine = Type.Object({
  line: Type.Integer({ minimum: 1, description: 'Line of the input, from 1' }),
  end_line: Type.Integer({ minimum: 1 }),
  start: Type.Integer({ minimum: 0, description: 'UTF-16 offset, inclusive' }),
  end: Type.Integer({ minimum: 0, description: 'UTF-16 offset, exclusive' }),
});
const Technique = Type.String({ pattern: '^T[0-9]{4}(\\.[0-9]{3})?$' });

const Subjects = (description: string) => Type.Array(Type.String(), { maxItems: 5, description });
const Evidence = Type.Object(
  {
    excerpts: Type.Array(
      Type.Object({
        line: Type.Integer({ minimum: 1 }),
        text: Type.String({ description: 'The line, cut after 240 characters.' }),
      }),
      { maxItems: 3, description: 'The first two lines of the finding and its last.' },
    ),
    first_seen: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Null where no line has a time with its year; a time without a zone is taken for UTC.',
      }),
    ),
    last_seen: Nullable(Type.String({ format: 'date-time' })),
    hosts: Subjects('Hosts that the lines name'),
    users: Subjects('Accounts'),
    processes: Subjects('Programs'),
    addresses: Subjects('Network addresses'),
    files: Subjects('Files'),
  },
  { description: 'What a report shows of the finding: lines, times, and who and what was concerned.' },
);

export const ThreatResult = Type.Object(
  {
    id: ModerationId,
    model: Type.String(),
    created: UnixSeconds,
    results: Type.Array(
      Type.Object({
        severity: Type.Enum([...severities]),
        confidence: Confidence,
        summary: Type.String(),
        summary_by: Type.Optional(
          Type.String({ description: 'The chat pack that wrote the summary; absent: the rules did.' }),
        ),
        indicators: Type.Array(
          Type.Object({
            type: Type.Enum([...indicatorTypes]),
            value: Type.String({ description: 'The refanged canonical form.' }),
            confidence: Confidence,
            offsets: Type.Array(Span, { description: 'Where it stands in the input, as found.' }),
            defanged: Type.Boolean({ description: 'The input held it defanged (hxxp, [.]).' }),
            scope: Type.String({
              description: 'public, or why nobody should block it: private, loopback, …',
            }),
          }),
        ),
        ttps: Type.Array(Technique),
        recommended_actions: Type.Array(Type.String()),
        findings: Type.Array(
          Type.Object({
            rule_id: Type.String(),
            title: Type.String(),
            level: Type.Enum([...severities]),
            confidence: Confidence,
            ttps: Type.Array(Technique),
            lines: Type.Array(MatchedLine),
            count: Type.Integer({
              minimum: 1,
              description: 'Times it was seen; `lines` stops at a hundred.',
            }),
            source: Type.Enum(['sigma', 'web', 'text', 'learnt', 'anomaly', 'correlation']),
            author: Nullable(Type.String({ description: 'The rule’s author, where it has one.' })),
            description: Nullable(Type.String()),
            translation: Type.Optional(
              Type.Object(
                { title: Type.String(), description: Nullable(Type.String()) },
                { description: 'In the answer’s `language`; absent in English and for rules of others.' },
              ),
            ),
            decoded: Type.Optional(
              Type.Array(Type.String(), {
                description: 'Commands that its lines hold in base64, decoded; absent where there are none.',
              }),
            ),
            evidence: Type.Optional(Evidence),
          }),
        ),
        techniques: Type.Array(
          Type.Object({ id: Technique, name: Type.String(), tactics: Type.Array(Type.String()) }),
        ),
        language: Type.Enum([...languages]),
        attack_version: Type.String({ description: 'The ATT&CK version every id of ttps exists in.' }),
      }),
    ),
  },
  { title: 'ThreatResult' },
);
export type ThreatResult = Static<typeof ThreatResult>;

export const ModerationsResult = Type.Union([SafetyResult, ThreatResult], { title: 'ModerationsResult' });
export type ModerationsResult = SafetyResult | ThreatResult;
