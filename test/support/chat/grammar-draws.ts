/**
 * Draws of structured output: a schema or a tool, a budget of tokens and a model without sense. What must hold of each: no
 * dead end, no error but a refusal that names its place, what ends with `stop` validates, and `length` where tokens end.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Ajv as AjvType } from 'ajv';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileOutput } from '../../../server/engine/chat/output/compile-output.ts';
import type { CompiledOutput, OutputPart } from '../../../server/engine/chat/output/compiled-output.ts';
import type { GenerateParams } from '../../../server/engine/chat/types.ts';
import { EngineError } from '../../../server/engine/engine.ts';
import type { Vocabulary } from '../../../server/engine/grammar/vocabulary.ts';
import { type Taste, write } from './random-writer.ts';
import { hasSuite, readSuite } from './schema-suite.ts';

export const plainParams: GenerateParams = {
  messages: [],
  tools: [],
  toolChoice: { mode: 'none' },
  parallelToolCalls: true,
  format: { type: 'text' },
  maxTokens: 200,
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  logitBias: {},
  seed: null,
  stop: [],
  choices: 1,
  topLogprobs: null,
  owner: 'tests',
};

interface Known {
  data: unknown;
  valid: boolean;
}

export interface Subject {
  name: string;
  params: GenerateParams;
  /** What is wrong with an answer; null: nothing. */
  judge(text: string, compiled: CompiledOutput): string | null;
  /** An instance is known to fit: a refusal for want of any value is wrong. */
  satisfiable: boolean;
}

const options = { strict: false, validateFormats: false, multipleOfPrecision: 9, logger: false } as const;

/** @param tests instances that are known to fit or not: ajv is believed where it judges them right */
export function schemaSubject(name: string, schema: unknown, tests: readonly Known[] = []): Subject {
  const isOld = /draft-0[3-7]/.test(String((schema as { $schema?: unknown } | null)?.$schema ?? ''));
  const judge = oracle(isOld ? new Ajv(options) : new Ajv2020(options), schema, tests);
  const satisfiable = tests.some(({ valid }) => valid);
  const format = { type: 'json_schema', schema: schema as Record<string, unknown>, strict: true } as const;
  return { name, params: { ...plainParams, format }, judge, satisfiable };
}

/** Judges nothing where ajv does not take the schema, or is known to be wrong: then the rest is judged all the same. */
function oracle(
  ajv: AjvType,
  schema: unknown,
  tests: readonly Known[] = [],
): (text: string) => string | null {
  let validate: ReturnType<AjvType['compile']> | null | undefined;
  const find = () => {
    try {
      const found = ajv.compile(schema as object);
      return tests.every(({ data, valid }) => found(data) === valid) ? found : null;
    } catch {
      return null;
    }
  };
  return (text) => {
    validate ??= validate === null ? null : find();
    const value: unknown = JSON.parse(text);
    return !validate || validate(value) ? null : ajv.errorsText(validate.errors);
  };
}

export function toolSubject(name: string, tools: GenerateParams['tools']): Subject {
  const judges = new Map(
    tools.map(({ function: { name: tool, parameters } }) => [
      tool,
      oracle(new Ajv2020(options), { type: 'object', ...(parameters ?? {}) }),
    ]),
  );
  return {
    name,
    params: { ...plainParams, tools, toolChoice: { mode: 'required' } },
    satisfiable: true,
    judge(text, compiled) {
      const calls = callsIn(compiled, text, 7);
      if (calls.length === 0) return 'it calls nothing';
      for (const call of calls) {
        const wrong = judges.get(call.name)?.(call.arguments) ?? null;
        if (wrong !== null) return `${call.name}: ${wrong}`;
      }
      return null;
    },
  };
}

/** @param step characters of each fragment the parser is fed with */
export function callsIn(
  compiled: CompiledOutput,
  text: string,
  step: number,
): { name: string; arguments: string }[] {
  const parser = compiled.createParser()!;
  const parts: OutputPart[] = [];
  for (let at = 0; at < text.length; at += step) parts.push(...parser.push(text.slice(at, at + step)));
  parts.push(...parser.end());
  const calls: { name: string; arguments: string }[] = [];
  for (const part of parts) {
    if (part.kind === 'tool') calls[part.call] = { name: part.name, arguments: '' };
    if (part.kind === 'arguments') calls[part.call]!.arguments += part.text;
  }
  return calls;
}

/** The JSON Schema Test Suite, where the shared data has it. */
export function suiteSubjects(): Subject[] {
  return hasSuite
    ? ['draft2020-12', 'draft7'].flatMap((draft) =>
        readSuite(draft).map((group) => {
          const schema =
            draft === 'draft7' && typeof group.schema === 'object'
              ? { $schema: 'http://json-schema.org/draft-07/schema#', ...group.schema }
              : group.schema;
          return schemaSubject(`${draft} ${group.file}: ${group.description}`, schema, group.tests);
        }),
      )
    : [];
}

const bfcl = fileURLToPath(new URL('../../../../shared/data/chat-bfcl-dev/bfcl_dev.jsonl', import.meta.url));

/** Tools of the BFCL development questions, where the shared data has them. */
export function bfclSubjects(): Subject[] {
  if (!existsSync(bfcl)) return [];
  const lines = readFileSync(bfcl, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { id, function: functions } = JSON.parse(line) as { id: string; function: Tool[] };
    const tools = functions.map((each) => ({
      type: 'function' as const,
      function: { name: each.name.replaceAll('.', '_'), parameters: toSchema(each.parameters) },
    }));
    return toolSubject(id, tools as GenerateParams['tools']);
  });
}

interface Tool {
  name: string;
  parameters: unknown;
}

const types: Record<string, string | undefined> = {
  ...{ dict: 'object', float: 'number', double: 'number', long: 'integer', tuple: 'array', any: undefined },
  ...{ Boolean: 'boolean', String: 'string', ArrayList: 'array', Array: 'array', HashMap: 'object' },
};

/** BFCL's type names are those of programming languages. */
function toSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSchema);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      if (key !== 'type' || typeof part !== 'string') return [[key, toSchema(part)]];
      const known = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'].includes(part);
      const type = known ? part : types[part];
      return type === undefined ? [] : [[key, type]];
    }),
  ) as Record<string, unknown>;
  // A list of values for a list: those of its items.
  if (schema.type === 'array' && Array.isArray(schema.enum)) delete schema.enum;
  return schema;
}

export interface Draw {
  subject: Subject;
  taste: Taste;
  maxTokens: number;
  next: () => number;
}

export type Outcome = 'stop' | 'length' | 'unsupported' | 'unsatisfiable' | 'too complex';

const compiledOf = new WeakMap<Subject, CompiledOutput | Outcome>();

/** @throws Error where something does not hold */
export function draw(vocabulary: Vocabulary, { subject, ...habits }: Draw): Outcome {
  let compiled = compiledOf.get(subject);
  if (compiled === undefined) {
    compiled = compileOrRefuse(subject, vocabulary);
    compiledOf.set(subject, compiled);
  }
  if (typeof compiled === 'string') return compiled;
  const written = writeOrRefuse(vocabulary, compiled, habits);
  if (typeof written === 'string') return written;
  if (written.reason === 'length') {
    if (written.tokens !== habits.maxTokens) throw new Error('length before the tokens ended');
    return 'length';
  }
  const wrong = subject.judge(written.text, compiled);
  if (wrong !== null) throw new Error(`${wrong}: ${written.text}`);
  return 'stop';
}

function compileOrRefuse(subject: Subject, vocabulary: Vocabulary): CompiledOutput | Outcome {
  try {
    return compileOutput(subject.params, { vocabulary, template: null })!;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === 'unsatisfiable' && subject.satisfiable) throw error;
    return refusal;
  }
}

function writeOrRefuse(vocabulary: Vocabulary, compiled: CompiledOutput, habits: Omit<Draw, 'subject'>) {
  try {
    return write(vocabulary, compiled.createMask()!, habits);
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Outcome {
  if (!(error instanceof EngineError) || error.code !== 'invalid_value') throw error;
  if (/no value can satisfy/.test(error.message)) return 'unsatisfiable';
  return /too complex/.test(error.message) ? 'too complex' : 'unsupported';
}
