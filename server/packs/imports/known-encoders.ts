/**
 * Conventions of well-known encoders that stand in their model cards and not in their files: what comes before a query and a
 * passage, how token states are pooled, on which side rows are padded. What a pack's own files say wins, but for the prefixes.
 */

interface Convention {
  /** Of the model's name or its folder's, in lower case. */
  name: RegExp;
  encoder: Record<string, unknown>;
}

/** The task that the cards of instructed models use for search. */
const searchTask =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';

const conventions: readonly Convention[] = [
  // https://huggingface.co/intfloat/multilingual-e5-large-instruct: passages bare, queries behind the task.
  {
    name: /\be5-(?:small|base|large)-instruct\b/u,
    encoder: { pooling: 'mean', prefixes: { query: `${searchTask} `, document: '' } },
  },
  // https://huggingface.co/intfloat/multilingual-e5-large: "query: " also for symmetric tasks.
  {
    name: /\be5-(?:small|base|large)(?:-v2)?\b/u,
    encoder: {
      pooling: 'mean',
      prefixes: { query: 'query: ', document: 'passage: ', similarity: 'query: ' },
    },
  },
  // https://huggingface.co/BAAI/bge-m3: dense vectors from the class token, no prefix.
  { name: /\bbge-m3\b/u, encoder: { pooling: 'cls' } },
  // https://huggingface.co/Qwen/Qwen3-Embedding-0.6B: the state of the last token, padding on the left.
  {
    name: /\bqwen3-embedding\b/u,
    encoder: {
      pooling: 'last_token',
      padding_side: 'left',
      prefixes: { query: searchTask, document: '' },
    },
  },
  // https://huggingface.co/sentence-transformers/static-similarity-mrl-multilingual-v1: the graph averages a table.
  {
    name: /\bstatic-(?:similarity|retrieval)-mrl\b/u,
    encoder: { pooling: 'none', special_tokens: false },
  },
];

/** The `encoder` block of a manifest for a model of this name; empty for one nobody knows. */
export function conventionOf(...names: string[]): Record<string, unknown> {
  const known = names.map((name) => name.toLowerCase().replaceAll('_', '-'));
  return conventions.find(({ name }) => known.some((text) => name.test(text)))?.encoder ?? {};
}
