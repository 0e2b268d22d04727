/** POST /v1/text/anonymize and /v1/text/deanonymize. */
import type {
  AnonymizeRequest,
  AnonymizeResult,
  DeanonymizeRequest,
  DeanonymizeResult,
} from '../../api/services/redaction.ts';
import { ApiError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import {
  callOf,
  enginesFor,
  type InferenceDeps,
  identify,
  recordServedPack,
  resolveModel,
} from '../model-call.ts';
import { findPersonalSpans, type PersonalSpan } from './personal-spans.ts';
import { Pseudonyms, replaceSpans, signName } from './pseudonyms.ts';
import { fullNames } from './same-person.ts';
import { createValueCipher } from './value-cipher.ts';

export interface AnonymizeService {
  anonymize(body: AnonymizeRequest, caller: Caller): Promise<AnonymizeResult>;
  deanonymize(body: DeanonymizeRequest, caller: Caller): Promise<DeanonymizeResult>;
}

const role = 'svc-shield-base';
const signPattern = /\[\[([a-z0-9_]+):([\w-]{38,})\]\]/g;

export function createAnonymize(deps: InferenceDeps): AnonymizeService {
  return {
    async anonymize(body, caller) {
      resolveModel(body.model ?? role, [role], caller);
      const engines = await enginesFor(deps, caller, [body.text]);
      const replacing = await replacer(body);
      const spans = await findPersonalSpans(body.text, body.kinds ?? null, { engines, call: callOf(caller) });
      const replace = replacing(spans, body.text);
      recordServedPack(engines, role, caller);
      const entities = spans.map((span) => ({ ...span, replacement: replace(span) }));
      const text = replaceSpans(body.text, entities, { inside: ({ replacement }) => replacement });
      // The key is no part of what an answer's id is made from.
      const { key: _, ...known } = body;
      const { id, created } = identify(caller, known);
      return { id: `anon_${id}`, model: role, created, text, entities };
    },

    async deanonymize(body, caller) {
      resolveModel(body.model ?? role, [role], caller);
      await enginesFor(deps, caller, [body.text]);
      const cipher = await createValueCipher(body.key);
      let restored = 0;
      const text = body.text.replace(signPattern, (_, _kind: string, sign: string) => {
        const value = cipher.decrypt(sign);
        if (value === null)
          throw new ApiError(
            'invalid_value',
            'The text was not encrypted with this key, or was changed since.',
            { param: 'key' },
          );
        restored++;
        return value;
      });
      const { key: _, ...known } = body;
      const { id, created } = identify(caller, known);
      return { id: `anon_${id}`, model: role, created, text, restored };
    },
  };
}

type Replacing = (spans: readonly PersonalSpan[], text: string) => (span: PersonalSpan) => string;

/** @throws ApiError missing_field for encrypt without a key, invalid_value for mask with one */
async function replacer({ method = 'mask', key }: AnonymizeRequest): Promise<Replacing> {
  if (method === 'mask') {
    if (key !== undefined) throw new ApiError('invalid_value', 'method mask takes no key.', { param: 'key' });
    return () =>
      ({ kind }) =>
        `[${signName(kind)}]`;
  }
  if (method === 'encrypt') {
    if (key === undefined)
      throw new ApiError('missing_field', 'method encrypt needs a key.', { param: 'key' });
    const cipher = await createValueCipher(key);
    return (_, text) =>
      ({ kind, start, end }) =>
        `[[${signName(kind).toLowerCase()}:${cipher.encrypt(text.slice(start, end))}]]`;
  }
  const cipher = key === undefined ? null : await createValueCipher(key);
  return (spans, text) => {
    const pseudonyms = new Pseudonyms(cipher ? { digest: cipher.digest } : {});
    const written = ({ start, end }: PersonalSpan) => text.slice(start, end);
    const whole = fullNames(spans.filter(({ kind }) => kind === 'name').map(written));
    return (span) => pseudonyms.of(span.kind, span.kind === 'name' ? whole(written(span)) : written(span));
  };
}
