/** POST /v1/documents/redact, /v1/text/anonymize and /v1/text/deanonymize. */
import { type Static, Type } from 'typebox';
import { Bbox, Closed, Nullable, UnixSeconds } from '../common.ts';

/** Characters of a text to anonymize. */
export const maxAnonymizeCharacters = 500_000;

/** Kinds of personal data that the patterns, lists and tagger of svc-shield-base tell apart. */
export const personalDataKinds = [
  'account_number',
  'address',
  'api_key',
  'bank_account',
  'card',
  'date',
  'date_of_birth',
  'driving_licence',
  'email',
  'iban',
  'ip_address',
  'job_title',
  'mac_address',
  'mykad',
  'name',
  'national_id',
  'organization',
  'passport',
  'phone',
  'place',
  'vehicle_registration',
] as const;

/** `personal_data` is a place whose kind the engine does not say. */
export const KindName = Type.Enum([...personalDataKinds, 'personal_data']);
export type KindName = Static<typeof KindName>;
const PageNumber = Type.Integer({ minimum: 1, description: 'From 1' });

const Area = Closed({
  page: PageNumber,
  bbox: Bbox,
  label: Type.Optional(Type.String({ maxLength: 200, description: 'For the report.' })),
  text: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'Must not be readable anywhere in the new pages; absent: not at this place.',
    }),
  ),
});

export const RedactRequest = Closed(
  {
    model: Type.String(),
    file_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    file: Type.Optional(Type.String({ minLength: 1, description: 'base64, or a data URL' })),
    template: Type.Optional(
      Type.String({ maxLength: 80, description: 'As for documents/parse: whose fields `fields` names.' }),
    ),
    pages: Type.Optional(
      Type.String({ maxLength: 200, description: 'Such as `1-3`: the answer has these pages alone.' }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 200,
        description: 'Names of fields to black out, or `*` for all.',
      }),
    ),
    pii: Type.Optional(
      Type.Union([Type.Boolean(), Type.Array(KindName, { minItems: 1, maxItems: 64 })], {
        description:
          'Personal data that svc-shield-base finds: all of it, or some kinds such as `email` or `mykad`. Default true where nothing else is named.',
      }),
    ),
    patterns: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        maxItems: 50,
        description: 'RE2, line by line.',
      }),
    ),
    areas: Type.Optional(Type.Array(Area, { maxItems: 2_000 })),
    preview: Type.Optional(
      Type.Boolean({ description: 'Only says what would be blacked out, with its text: no PDF is made.' }),
    ),
  },
  { title: 'RedactRequest' },
);
export type RedactRequest = Static<typeof RedactRequest>;

export const redactionReasons = ['field', 'pii', 'pattern', 'area'] as const;

export const RedactResult = Type.Object(
  {
    id: Type.String({ pattern: '^req_red_[0-9a-zA-Z]+$' }),
    model: Type.String(),
    created: UnixSeconds,
    file: Nullable(
      Type.String({
        description:
          'A PDF of pictures in base64: none of the text. Null where something could still be read, and in a preview.',
      }),
    ),
    redactions: Type.Array(
      Type.Object({
        reason: Type.Enum([...redactionReasons]),
        label: Type.String({ description: 'The field, the kind, the pattern, the area’s own or empty.' }),
        page: PageNumber,
        bbox: Bbox,
        text: Type.Optional(Type.String({ description: 'In a preview alone.' })),
      }),
    ),
    check: Nullable(
      Type.Object(
        {
          passed: Type.Boolean(),
          readable: Type.Array(Type.Object({ label: Type.String(), page: PageNumber, bbox: Bbox }), {
            description:
              'Places whose text can still be read in the new pages, or stands elsewhere in them too.',
          }),
        },
        { description: 'The new pages were read again; null in a preview.' },
      ),
    ),
    warnings: Type.Array(Type.String()),
    usage: Type.Object({ pages: Type.Integer({ minimum: 0 }) }),
  },
  { title: 'RedactResult' },
);
export type RedactResult = Static<typeof RedactResult>;

export const anonymizeMethods = ['mask', 'pseudonym', 'encrypt'] as const;

const Secret = Type.String({
  minLength: 16,
  maxLength: 512,
  description: 'Kept by the caller alone; it is stored nowhere and in no log.',
});

export const AnonymizeRequest = Closed(
  {
    model: Type.Optional(Type.String({ description: 'Default svc-shield-base.' })),
    text: Type.String({ maxLength: maxAnonymizeCharacters }),
    method: Type.Optional(
      Type.Enum([...anonymizeMethods], {
        default: 'mask',
        description:
          '`mask`: `[EMAIL]`. `pseudonym`: `[EMAIL_1]`, the same for the same value; with a key the same in every text. `encrypt`: a sign that deanonymize turns back with the key.',
      }),
    ),
    key: Type.Optional(Secret),
    kinds: Type.Optional(Type.Array(KindName, { minItems: 1, maxItems: 64, description: 'Default: all.' })),
  },
  { title: 'AnonymizeRequest' },
);
export type AnonymizeRequest = Static<typeof AnonymizeRequest>;

const head = {
  id: Type.String({ pattern: '^anon_[0-9a-zA-Z]+$' }),
  model: Type.String(),
  created: UnixSeconds,
  text: Type.String(),
};

export const AnonymizeResult = Type.Object(
  {
    ...head,
    entities: Type.Array(
      Type.Object({
        kind: Type.String(),
        start: Type.Integer({ minimum: 0, description: 'UTF-16 offset in the text sent, inclusive' }),
        end: Type.Integer({ minimum: 0, description: 'Exclusive' }),
        replacement: Type.String(),
      }),
    ),
  },
  { title: 'AnonymizeResult' },
);
export type AnonymizeResult = Static<typeof AnonymizeResult>;

export const DeanonymizeRequest = Closed(
  {
    model: Type.Optional(Type.String({ description: 'Default svc-shield-base.' })),
    text: Type.String({ maxLength: 2 * maxAnonymizeCharacters }),
    key: Secret,
  },
  { title: 'DeanonymizeRequest' },
);
export type DeanonymizeRequest = Static<typeof DeanonymizeRequest>;

export const DeanonymizeResult = Type.Object(
  { ...head, restored: Type.Integer({ minimum: 0 }) },
  { title: 'DeanonymizeResult' },
);
export type DeanonymizeResult = Static<typeof DeanonymizeResult>;

const mebibyte = 1024 * 1024;

export const redactionOperations = {
  'POST /v1/documents/redact': {
    summary:
      'A PDF of pictures with fields, personal data, patterns or areas blacked out, read again to check',
    access: 'api',
    scope: 'documents',
    inference: true,
    body: RedactRequest,
    fileField: 'file',
    response: RedactResult,
  },
  'POST /v1/text/anonymize': {
    summary: 'Personal data in a text masked, replaced by pseudonyms, or encrypted with the caller’s key',
    access: 'api',
    scope: 'moderations',
    inference: true,
    body: AnonymizeRequest,
    maxBodyBytes: 4 * mebibyte,
    response: AnonymizeResult,
  },
  'POST /v1/text/deanonymize': {
    summary: 'An encrypted text turned back with its key',
    access: 'api',
    scope: 'moderations',
    inference: true,
    body: DeanonymizeRequest,
    maxBodyBytes: 8 * mebibyte,
    response: DeanonymizeResult,
  },
} as const;
