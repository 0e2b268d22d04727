/**
 * Personal data out of what a remote engine is asked: found by the shield of this machine, replaced by pseudonyms. Those of a chat
 * are counted and put back in its answer; those of texts to embed are digests, so that a value is near itself in every request.
 */
import { createHmac, hash } from 'node:crypto';
import type { GenerateParams } from '../../engine/chat/types.ts';
import type { EmbedParams } from '../../engine/embeddings/types.ts';
import type { EngineCall, Engines } from '../../hosts/engines.ts';
import { findPersonalSpans, type PersonalSpan } from '../../services/redaction/personal-spans.ts';
import { Pseudonyms, replaceSpans } from '../../services/redaction/pseudonyms.ts';
import { mapTexts } from './chat-texts.ts';

export interface Hidden<Params> {
  params: Params;
  /** Pseudonym → value. */
  values: ReadonlyMap<string, string>;
}

export interface PersonalDataHider {
  /** The shield is bound here; without it nothing can be told. */
  readonly ready: boolean;
  /** @throws ApiError what the shield's pack refuses */
  hideChat(params: GenerateParams, call: EngineCall): Promise<Hidden<GenerateParams>>;
  /** @throws ApiError what the shield's pack refuses */
  hideTexts(params: EmbedParams, call: EngineCall): Promise<Hidden<EmbedParams>>;
}

/** Spans of texts seen lately, by the text's hash: a conversation comes again with every turn. */
const mostRemembered = 4_096;
/** Shorter texts are nobody's; shorter values are looked for where the shield sees them, and not in every word. */
const leastRepeated = 4;

type Found = Map<string, readonly PersonalSpan[]>;

export function createPersonalDataHider(local: Engines, installKey: Buffer): PersonalDataHider {
  const remembered = new Map<string, readonly PersonalSpan[]>();

  async function spansOf(text: string, call: EngineCall): Promise<readonly PersonalSpan[]> {
    const { pack = '' } = local.served('svc-shield-base') ?? {};
    const id = hash('sha256', `${pack}\n${text}`, 'base64');
    const known = remembered.get(id);
    const spans = known ?? (await findPersonalSpans(text, null, { engines: local, call }));
    remembered.delete(id);
    remembered.set(id, spans);
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!);
    return spans;
  }

  async function find(
    texts: Iterable<string>,
    { signal, deadlineMs, requestId }: EngineCall,
  ): Promise<Found> {
    const call: EngineCall = { signal, deadlineMs, ...(requestId === undefined ? {} : { requestId }) };
    const found: Found = new Map();
    for (const text of texts)
      if (text.length >= leastRepeated && !found.has(text)) found.set(text, await spansOf(text, call));
    return found;
  }

  const digest = (value: string) =>
    createHmac('sha256', installKey).update(`pseudonym\n${value}`).digest('hex').slice(0, 8);

  return {
    get ready() {
      return local.bound('svc-shield-base') !== null;
    },

    async hideChat(params, call) {
      const texts: string[] = [];
      mapTexts(params, (text) => {
        texts.push(text);
        return text;
      });
      const found = await find(texts, call);
      const taken = new Set(texts.flatMap((text) => text.match(/\[[A-Z0-9_]+\]/g) ?? []));
      const pseudonyms = new Pseudonyms({ taken });
      const replace = replacer(found, pseudonyms);
      return { params: mapTexts(params, replace), values: pseudonyms.values };
    },

    async hideTexts(params, call) {
      const pseudonyms = new Pseudonyms({ digest });
      const replace = replacer(await find(params.texts, call), pseudonyms);
      return { params: { ...params, texts: params.texts.map(replace) }, values: pseudonyms.values };
    },
  };
}

/** Replaces what was found in a text, and what was found in the others where it stands by itself. */
function replacer(found: Found, pseudonyms: Pseudonyms): (text: string) => string {
  const kinds = new Map<string, string>();
  for (const [text, spans] of found)
    for (const { start, end, kind } of spans) {
      const value = text.slice(start, end);
      pseudonyms.of(kind, value);
      if (value.length >= leastRepeated) kinds.set(value, kind);
    }
  const longestFirst = [...kinds.keys()].sort((a, b) => b.length - a.length);
  const repeated =
    longestFirst.length === 0
      ? null
      : new RegExp(
          `(?<![\\p{L}\\p{N}])(?:${longestFirst.map(RegExp.escape).join('|')})(?![\\p{L}\\p{N}])`,
          'gu',
        );
  const again = (text: string): string =>
    repeated ? text.replace(repeated, (value) => pseudonyms.of(kinds.get(value)!, value)) : text;
  return (text) =>
    replaceSpans(text, found.get(text) ?? [], {
      inside: ({ start, end, kind }) => pseudonyms.of(kind, text.slice(start, end)),
      between: again,
    });
}
