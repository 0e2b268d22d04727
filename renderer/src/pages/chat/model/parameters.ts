/** Parameters that a person sets beside the conversation. Texts stay as typed; request.ts reads them. */

export interface Parameters {
  system: string;
  temperature: number;
  topP: number;
  topK: number;
  minP: number;
  presencePenalty: number;
  frequencyPenalty: number;
  maxTokens: number;
  /** null: a new one each time. */
  seed: number | null;
  stop: string[];
  choices: number;
  /** `token: bias` pairs, one a line. */
  logitBias: string;
  logprobs: boolean;
  /** Alternatives a token. */
  topLogprobs: number;
  format: 'text' | 'json_object' | 'json_schema';
  schema: string;
  strict: boolean;
  /** A JSON list of tools; empty: none. */
  tools: string;
  /** auto, none, required, or a function's name. */
  toolChoice: string;
  parallelToolCalls: boolean;
  /** Ends an answer that repeats itself; here in the page, the API knows no such thing. */
  stopLoops: boolean;
}

export const defaultParameters: Parameters = {
  system: '',
  temperature: 0.7,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  maxTokens: 1024,
  seed: null,
  stop: [],
  choices: 1,
  logitBias: '',
  logprobs: false,
  topLogprobs: 5,
  format: 'text',
  schema: '',
  strict: true,
  tools: '',
  toolChoice: 'auto',
  parallelToolCalls: true,
  stopLoops: true,
};

/** Parameters kept earlier, perhaps by another version: what does not fit a field is passed over. */
export function toParameters(kept: unknown): Parameters {
  if (typeof kept !== 'object' || kept === null) return defaultParameters;
  const fits = Object.entries(kept).filter(([name, value]) => {
    if (!Object.hasOwn(defaultParameters, name)) return false;
    if (name === 'seed') return value === null || typeof value === 'number';
    const usual = defaultParameters[name as keyof Parameters];
    return Array.isArray(usual)
      ? Array.isArray(value) && value.every((each) => typeof each === 'string')
      : typeof value === typeof usual;
  });
  return { ...defaultParameters, ...Object.fromEntries(fits) };
}
