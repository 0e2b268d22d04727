/** Requests and answers of the embeddings engine. */

/** The purpose a text is embedded for; models that know tasks have a prefix for each. */
export type EmbeddingTask = 'query' | 'document' | 'similarity';

export interface EmbedParams {
  texts: string[];
  /** Similarity where absent. */
  task?: EmbeddingTask;
}

export interface EmbedResult {
  /** One buffer, `[texts.length, dimensions]`, rows in the order of the texts. */
  vectors: Float32Array;
  /** Tokens of each text, special ones included. */
  tokens: number[];
  /** A remote engine gave no count that can be true. */
  estimated?: true;
}

export interface RerankParams {
  query: string;
  documents: string[];
}

export interface RerankScores {
  /** 0 to 1, in the order of the documents. */
  scores: number[];
  /** Of each pair, special ones included. */
  tokens: number[];
}

export interface TokenIds {
  /** A row a text, special tokens and the task's prefix included. */
  rows: number[][];
}
