/**
 * The tokenizer inside a GGUF file, as the files Hugging Face keeps: tokenizer.json and tokenizer_config.json.
 *
 * `gpt2` vocabularies are byte-level BPE with their merges; `llama` ones are SentencePiece, whose merges are rebuilt from the
 * pieces' scores, as transformers' own GGUF conversion does.
 */

type Metadata = Record<string, unknown>;

export interface GgufTokenizer {
  tokenizer: Record<string, unknown>;
  config: Record<string, unknown>;
  bos: number | null;
  eos: number[];
}

/** tokenizer.ggml.token_type */
const tokenTypes = { unknown: 2, control: 3, userDefined: 4 } as const;

/** @throws Error naming the kind of tokenizer that is not supported, or the metadata that is missing */
export function tokenizerFromGguf(metadata: Metadata): GgufTokenizer {
  const kind = String(metadata['tokenizer.ggml.model'] ?? 'none');
  const tokens = metadata['tokenizer.ggml.tokens'];
  if (!Array.isArray(tokens) || tokens.length === 0) throw new Error('the GGUF file holds no tokenizer');
  const pieces = tokens.map(String);
  if (kind !== 'gpt2' && kind !== 'llama')
    throw new Error(`the tokenizer kind ${kind} is not supported (gpt2 and llama are)`);
  const parts = kind === 'gpt2' ? byteLevel(metadata, pieces) : sentencePiece(metadata, pieces);
  const bos = idOf(metadata, 'bos');
  const addsBos = bos !== null && metadata['tokenizer.ggml.add_bos_token'] === true;
  return {
    tokenizer: {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: addedTokens(metadata, pieces),
      ...parts,
      post_processor: addsBos ? prefixed(pieces[bos] ?? '', bos) : null,
    },
    config: {
      tokenizer_class: 'PreTrainedTokenizerFast',
      chat_template: metadata['tokenizer.chat_template'] ?? null,
      bos_token: bos === null ? null : pieces[bos],
      eos_token: pieces[idOf(metadata, 'eos') ?? -1] ?? null,
      add_bos_token: addsBos,
    },
    bos,
    eos: [...new Set([idOf(metadata, 'eos'), idOf(metadata, 'eot')].filter((id) => id !== null))],
  };
}

function idOf(metadata: Metadata, name: 'bos' | 'eos' | 'eot' | 'unknown'): number | null {
  const value = metadata[`tokenizer.ggml.${name}_token_id`];
  return typeof value === 'number' ? value : null;
}

/** Control tokens are special: they never come from a person's text, and are not shown. */
function addedTokens(metadata: Metadata, pieces: string[]): unknown[] {
  const types = (metadata['tokenizer.ggml.token_type'] ?? []) as number[];
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return pieces.flatMap((content, id) => {
    const special = types[id] === tokenTypes.control || types[id] === tokenTypes.unknown;
    return special || types[id] === tokenTypes.userDefined ? [{ id, content, ...plain, special }] : [];
  });
}

const prefixed = (token: string, id: number) => ({
  type: 'TemplateProcessing',
  single: [{ SpecialToken: { id: token, type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
  pair: [
    { SpecialToken: { id: token, type_id: 0 } },
    { Sequence: { id: 'A', type_id: 0 } },
    { Sequence: { id: 'B', type_id: 1 } },
  ],
  special_tokens: { [token]: { id: token, ids: [id], tokens: [token] } },
});

const words = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+";
const rest = ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';

/** Rules that cut text before the merges, by `tokenizer.ggml.pre`; GPT-2's own otherwise. */
const splits: Record<string, string> = {
  'llama-bpe': `${words}|\\p{N}{1,3}|${rest}`,
  llama3: `${words}|\\p{N}{1,3}|${rest}`,
  qwen2: `${words}|\\p{N}|${rest}`,
};

function byteLevel(metadata: Metadata, pieces: string[]): Record<string, unknown> {
  const merges = metadata['tokenizer.ggml.merges'];
  if (!Array.isArray(merges)) throw new Error('the GGUF file holds no merges for its tokenizer');
  const pre = String(metadata['tokenizer.ggml.pre'] ?? 'default');
  const split = splits[pre];
  const bytes = {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: false,
    use_regex: split === undefined,
  };
  const steps: unknown[] = split
    ? [{ type: 'Split', pattern: { Regex: split }, behavior: 'Isolated', invert: false }, bytes]
    : [bytes];
  // SmolLM takes digits one by one before GPT-2's rule.
  if (pre === 'smollm') steps.unshift({ type: 'Digits', individual_digits: true });
  return {
    normalizer: pre === 'qwen2' ? { type: 'NFC' } : null,
    pre_tokenizer: { type: 'Sequence', pretokenizers: steps },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: toVocab(pieces),
      merges,
    },
  };
}

function sentencePiece(metadata: Metadata, pieces: string[]): Record<string, unknown> {
  const scores = (metadata['tokenizer.ggml.scores'] ?? []) as number[];
  const vocab = toVocab(pieces);
  const prepends = metadata['tokenizer.ggml.add_space_prefix'] !== false;
  const spaces = { type: 'Replace', pattern: { String: ' ' }, content: '▁' };
  const unknown = pieces[idOf(metadata, 'unknown') ?? 0] ?? '<unk>';
  return {
    normalizer: prepends
      ? { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '▁' }, spaces] }
      : spaces,
    pre_tokenizer: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        ...(prepends ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : []),
      ],
    },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: unknown,
      fuse_unk: true,
      byte_fallback: true,
      vocab,
      merges: rebuiltMerges(pieces, scores, vocab),
    },
  };
}

const toVocab = (pieces: string[]): Record<string, number> =>
  Object.fromEntries(pieces.map((piece, id) => [piece, id]));

/** Every split of a piece into two pieces is a merge; pieces with higher scores merge first. */
function rebuiltMerges(
  pieces: string[],
  scores: number[],
  vocab: Record<string, number>,
): [string, string][] {
  const found: { pair: [string, string]; score: number; ids: [number, number] }[] = [];
  for (const [id, piece] of pieces.entries()) {
    const characters = [...piece];
    for (let cut = 1; cut < characters.length; cut += 1) {
      const left = characters.slice(0, cut).join('');
      const right = characters.slice(cut).join('');
      if (!Object.hasOwn(vocab, left) || !Object.hasOwn(vocab, right)) continue;
      found.push({ pair: [left, right], score: scores[id] ?? -id, ids: [vocab[left]!, vocab[right]!] });
    }
  }
  found.sort((a, b) => b.score - a.score || a.ids[0] - b.ids[0] || a.ids[1] - b.ids[1]);
  return found.map(({ pair }) => pair);
}
