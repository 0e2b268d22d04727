/** /v1/keys and /console/keys: the same shapes on both surfaces (contract.md "Keys"). */
import { type Static, Type } from 'typebox';
import { Closed, keyClasses, modelIds, Nullable, plans, scopes, UnixSeconds } from './common.ts';

const Name = Type.String({ minLength: 1, maxLength: 100 });
/** Names are printed in terminals, which obey control characters; a blank one could not be told from none. */
const NewName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^\\P{Cc}*[^\\s\\p{Cc}]\\P{Cc}*$',
  description: 'Not blank, and without control characters.',
});
const Scopes = Type.Array(Type.Enum([...scopes]), { minItems: 1, uniqueItems: true });
const Models = Type.Array(Type.Enum([...modelIds]), { minItems: 1, uniqueItems: true });
/** IPv4 or IPv6 addresses or CIDR ranges; checked in the service, which names the offending entry. */
const Cidrs = Type.Array(Type.String({ minLength: 2, maxLength: 64 }), { maxItems: 256 });
/** Up to the end of the year 9999, the last that ISO 8601 writes with four digits. */
const Expiry = Nullable(
  Type.Integer({ minimum: 0, maximum: 253_402_300_799, description: 'Unix timestamp in seconds' }),
);

export const ApiKey = Type.Object(
  {
    id: Type.String({ pattern: '^key_[0-9a-f]+$' }),
    object: Type.Literal('key'),
    name: Name,
    class: Type.Enum([...keyClasses]),
    plan: Type.Enum([...plans]),
    prefix: Type.String({ description: 'The visible start of the secret.' }),
    last_four: Type.String(),
    scopes: Type.Array(Type.Enum([...scopes]), { description: 'Resolved: what the key may do.' }),
    models: Nullable(Models),
    allowed_cidrs: Cidrs,
    created: UnixSeconds,
    expires: Expiry,
    last_used: Nullable(UnixSeconds),
    revoked: Nullable(UnixSeconds),
    replaces: Nullable(Type.String()),
    replaced_by: Nullable(Type.String()),
    /** Until when a replaced key goes on working. */
    overlap_ends: Nullable(UnixSeconds),
    status: Type.Enum(['active', 'expired', 'revoked', 'rotating'], {
      description: 'rotating: replaced, and still valid until its overlap ends.',
    }),
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

/** The only answers that ever carry the secret. */
export const ApiKeyWithSecret = Type.Intersect([ApiKey, Type.Object({ secret: Type.String() })], {
  title: 'ApiKeyWithSecret',
});
export type ApiKeyWithSecret = ApiKey & { secret: string };

export const KeyList = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(ApiKey) },
  { title: 'KeyList' },
);
export type KeyList = Static<typeof KeyList>;

export const CreateKeyRequest = Closed(
  {
    name: NewName,
    class: Type.Optional(Type.Enum([...keyClasses], { default: 'live' })),
    plan: Type.Optional(Type.Enum([...plans], { default: 'free' })),
    scopes: Type.Optional(Scopes),
    models: Type.Optional(Nullable(Models)),
    allowed_cidrs: Type.Optional(Cidrs),
    expires: Type.Optional(Expiry),
  },
  { title: 'CreateKeyRequest' },
);
export type CreateKeyRequest = Static<typeof CreateKeyRequest>;

export const UpdateKeyRequest = Closed(
  {
    name: Type.Optional(NewName),
    plan: Type.Optional(Type.Enum([...plans])),
    scopes: Type.Optional(Scopes),
    models: Type.Optional(Nullable(Models)),
    allowed_cidrs: Type.Optional(Cidrs),
    expires: Type.Optional(Expiry),
  },
  { title: 'UpdateKeyRequest', minProperties: 1 },
);
export type UpdateKeyRequest = Static<typeof UpdateKeyRequest>;

export const RotateKeyRequest = Closed(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        default: 86_400,
        description: 'How long the old key goes on working; 0 ends it at once.',
      }),
    ),
  },
  { title: 'RotateKeyRequest' },
);
export type RotateKeyRequest = Static<typeof RotateKeyRequest>;
