/**
 * Well-known open chat models that the importer reads, as their publishers describe them. Sizes of GGUF files are those that are
 * usual for the quantization, to a tenth or so: files of different makers differ. No checksums: they belong to a file, and the
 * page that offers it names them.
 */

export interface OpenModel {
  name: string;
  /** Repository on Hugging Face with the publisher's own weights. */
  repository: string;
  licence: string;
  /** Millions of weights, tables included. */
  weights: number;
  /** Rows and columns of the table of tokens. */
  vocabulary: number;
  hidden: number;
  /** One table is both the first and the last layer. */
  tied: boolean;
  layers: number;
  kvHeads: number;
  headDim: number;
  /** Tokens. */
  context: number;
  /** GB (10^9 bytes) of a GGUF file. */
  gguf: { quantization: 'Q4_K_M' | 'Q8_0'; gigabytes: number }[];
}

/**
 * Name, repository, licence | millions of weights, tokens of the vocabulary, hidden size, one table or two | layers, KV heads, head
 * size, context | GB as Q4_K_M, GB as Q8_0.
 */
const table = `
SmolLM2 135M Instruct | HuggingFaceTB/SmolLM2-135M-Instruct | Apache-2.0 | 135 | 49152 | 576 | tied | 30 | 3 | 64 | 8192 | 0.1 | 0.15
SmolLM2 360M Instruct | HuggingFaceTB/SmolLM2-360M-Instruct | Apache-2.0 | 362 | 49152 | 960 | tied | 32 | 5 | 64 | 8192 | 0.27 | 0.39
SmolLM2 1.7B Instruct | HuggingFaceTB/SmolLM2-1.7B-Instruct | Apache-2.0 | 1711 | 49152 | 2048 | tied | 24 | 32 | 64 | 8192 | 1.1 | 1.8
Qwen2.5 0.5B Instruct | Qwen/Qwen2.5-0.5B-Instruct | Apache-2.0 | 494 | 151936 | 896 | tied | 24 | 2 | 64 | 32768 | 0.5 | 0.7
Qwen2.5 1.5B Instruct | Qwen/Qwen2.5-1.5B-Instruct | Apache-2.0 | 1544 | 151936 | 1536 | tied | 28 | 2 | 128 | 32768 | 1.1 | 1.9
Qwen2.5 7B Instruct | Qwen/Qwen2.5-7B-Instruct | Apache-2.0 | 7616 | 152064 | 3584 | two | 28 | 4 | 128 | 32768 | 4.7 | 8.1
Qwen2.5 14B Instruct | Qwen/Qwen2.5-14B-Instruct | Apache-2.0 | 14770 | 152064 | 5120 | two | 48 | 8 | 128 | 32768 | 9 | 15.7
Qwen3 0.6B | Qwen/Qwen3-0.6B | Apache-2.0 | 596 | 151936 | 1024 | tied | 28 | 8 | 128 | 32768 | - | 0.64
Qwen3 1.7B | Qwen/Qwen3-1.7B | Apache-2.0 | 1721 | 151936 | 2048 | tied | 28 | 8 | 128 | 32768 | - | 1.8
Qwen3 4B | Qwen/Qwen3-4B | Apache-2.0 | 4022 | 151936 | 2560 | tied | 36 | 8 | 128 | 32768 | 2.5 | 4.3
Qwen3 8B | Qwen/Qwen3-8B | Apache-2.0 | 8191 | 151936 | 4096 | two | 36 | 8 | 128 | 32768 | 5 | 8.7
Qwen3 14B | Qwen/Qwen3-14B | Apache-2.0 | 14768 | 151936 | 5120 | two | 40 | 8 | 128 | 32768 | 9 | 15.7
Qwen3 32B | Qwen/Qwen3-32B | Apache-2.0 | 32762 | 151936 | 5120 | two | 64 | 8 | 128 | 32768 | 19.8 | 34.8
Llama 3.2 1B Instruct | meta-llama/Llama-3.2-1B-Instruct | Llama 3.2 Community License | 1236 | 128256 | 2048 | tied | 16 | 8 | 64 | 131072 | 0.8 | 1.3
Llama 3.2 3B Instruct | meta-llama/Llama-3.2-3B-Instruct | Llama 3.2 Community License | 3213 | 128256 | 3072 | tied | 28 | 8 | 128 | 131072 | 2 | 3.4
Llama 3.1 8B Instruct | meta-llama/Llama-3.1-8B-Instruct | Llama 3.1 Community License | 8030 | 128256 | 4096 | two | 32 | 8 | 128 | 131072 | 4.9 | 8.5
Mistral 7B Instruct v0.3 | mistralai/Mistral-7B-Instruct-v0.3 | Apache-2.0 | 7248 | 32768 | 4096 | two | 32 | 8 | 128 | 32768 | 4.4 | 7.7
Phi-4-mini Instruct | microsoft/Phi-4-mini-instruct | MIT | 3836 | 200064 | 3072 | tied | 32 | 8 | 128 | 131072 | 2.5 | 4.1
Phi-4 | microsoft/phi-4 | MIT | 14660 | 100352 | 5120 | two | 40 | 10 | 128 | 16384 | 9.1 | 15.6
Gemma 2 2B Instruct | google/gemma-2-2b-it | Gemma Terms of Use | 2614 | 256000 | 2304 | tied | 26 | 4 | 256 | 8192 | 1.7 | 2.8
Gemma 2 9B Instruct | google/gemma-2-9b-it | Gemma Terms of Use | 9242 | 256000 | 3584 | tied | 42 | 8 | 256 | 8192 | 5.8 | 9.8
Gemma 3 1B Instruct | google/gemma-3-1b-it | Gemma Terms of Use | 1000 | 262144 | 1152 | tied | 26 | 1 | 256 | 32768 | 0.8 | 1.1
`;

export const openModels: OpenModel[] = table.trim().split('\n').map(toModel);

function toModel(row: string): OpenModel {
  const [name = '', repository = '', licence = '', ...rest] = row.split(' | ');
  const [weights, vocabulary, hidden, tables, layers, kvHeads, headDim, context, q4, q8] = rest;
  const sizes = { Q4_K_M: q4, Q8_0: q8 } as const;
  return {
    name,
    repository,
    licence,
    weights: Number(weights),
    vocabulary: Number(vocabulary),
    hidden: Number(hidden),
    tied: tables === 'tied',
    layers: Number(layers),
    kvHeads: Number(kvHeads),
    headDim: Number(headDim),
    context: Number(context),
    gguf: (['Q4_K_M', 'Q8_0'] as const).flatMap((quantization) => {
      const gigabytes = Number(sizes[quantization]);
      return gigabytes > 0 ? [{ quantization, gigabytes }] : [];
    }),
  };
}
