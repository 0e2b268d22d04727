/** From a request's format and tools to masks and parsers (token-mask.ts). */
import { EngineError } from '../../engine.ts';
import type { Acceptor } from '../../grammar/acceptor.ts';
import { literal, sequence } from '../../grammar/acceptor.ts';
import { jsonAcceptor } from '../../grammar/json.ts';
import { withImplicitAdditionalPropertiesFalse } from '../../grammar/schema/closed-objects.ts';
import { compileSchema } from '../../grammar/schema/compile.ts';
import { UnsupportedSchema } from '../../grammar/schema/compiling.ts';
import { StateInterner } from '../../grammar/schema/schema-state.ts';
import { AcceptorMask, MaskSource, type TokenMask } from '../../grammar/token-mask.ts';
import { WorkBudget, WorkExceeded } from '../../grammar/work-budget.ts';
import type { GenerateParams } from '../types.ts';
import type {
  CompiledOutput,
  OutputContext,
  OutputDescription,
  OutputRequest,
  Wording,
} from './compiled-output.ts';
import { outlineOf, shortened, trimmed } from './schema-outline.ts';
import { callsAfterTrigger, type ToolCallFormat, toolCallFormatOf, untilTrigger } from './tool-formats.ts';
import { ToolParser } from './tool-parser.ts';

/** Steps that all schemas of a request may take together before anything is generated. */
const compilingWork = 250_000;

/**
 * Parser, prompt and all else about what `format`, `tools`, `toolChoice` and `parallelToolCalls` ask for but its masks, and so
 * without a look into a schema; null: nothing but text.
 */
export function describeOutput(
  { format, toolChoice, tools }: OutputRequest,
  context: OutputContext,
): OutputDescription | null {
  if (tools.length > 0 && toolChoice.mode !== 'none') {
    const calls = toolCallFormatOf(context.template);
    return {
      createParser: () => new ToolParser(calls),
      isStructured: toolChoice.mode !== 'auto',
      visibleTokens: controlTokensOf(calls, context),
      wordings: toolWordings(calls, tools),
    };
  }
  if (format.type === 'text') return null;
  return {
    createParser: () => null,
    isStructured: true,
    visibleTokens: [],
    wordings: formatWordings(format),
  };
}

/** @throws EngineError invalid_value that names the keyword of a schema that cannot be honoured, before any work */
export function compileOutput(request: OutputRequest, context: OutputContext): CompiledOutput | null {
  const described = describeOutput(request, context);
  if (!described) return null;
  const states = new StateInterner(new WorkBudget(compilingWork));
  const { format } = request;
  const isTools = described.createParser() !== null;
  const start =
    isTools || format.type === 'text'
      ? toolsAcceptor(request, { context, states })
      : formatAcceptor(format, states);
  const source = new MaskSource(context.vocabulary, {
    visible: described.visibleTokens,
    budget: states.budget,
  });
  const param = isTools ? 'tools' : 'response_format.json_schema.schema';
  return { ...described, createMask: () => new BoundedMask(new AcceptorMask(source, start), param) };
}

/** A mask whose work is bounded by the budget of its states: beyond it the request is at fault. */
class BoundedMask implements TokenMask {
  readonly #mask: TokenMask;
  readonly #param: string;

  constructor(mask: TokenMask, param: string) {
    this.#mask = mask;
    this.#param = param;
  }

  allowed(): Uint32Array | null {
    try {
      return this.#mask.allowed();
    } catch (error) {
      if (!(error instanceof WorkExceeded)) throw error;
      throw new EngineError('invalid_value', `${this.#param}: the schema is too complex.`, this.#param);
    }
  }

  accept(token: number): void {
    this.#mask.accept(token);
  }

  get complete(): boolean {
    return this.#mask.complete;
  }

  fork(): BoundedMask {
    return new BoundedMask(this.#mask.fork(), this.#param);
  }
}

type JsonFormat = Exclude<GenerateParams['format'], { type: 'text' }>;

function formatAcceptor(format: JsonFormat, states: StateInterner): Acceptor {
  const schema =
    format.type === 'json_schema' ? withImplicitAdditionalPropertiesFalse(format.schema) : { type: 'object' };
  return compile(schema, 'response_format.json_schema.schema', states);
}

/** Levels of an outline, the deepest first. */
const outlineDepths = [6, 3, 2, 1];

/** Without words the model fights the mask. */
function formatWordings(format: JsonFormat): (() => Wording)[] {
  const wording = (schema: Wording['schema'], instructions: string) => ({
    ...{ schema, instructions },
    templateTools: [],
  });
  if (format.type === 'json_object')
    return [() => wording(null, 'Answer with one JSON object and nothing else.')];
  const asked = 'Answer with JSON that fits this JSON Schema, and nothing else:';
  const outlined = 'Answer with JSON of this form, and nothing else:';
  return [
    () => wording('full', `${asked}\n${JSON.stringify(format.schema)}`),
    ...outlineDepths.map(
      (depth) => () => wording('outline', `${outlined}\n${outlineOf(format.schema, depth)}`),
    ),
    () => wording('none', 'Answer with JSON and nothing else.'),
  ];
}

function toolWordings(format: ToolCallFormat, tools: GenerateParams['tools']): (() => Wording)[] {
  const wording = (schema: Wording['schema'], told: GenerateParams['tools']): Wording => ({
    schema,
    instructions: format.instructions?.(told.map((tool) => JSON.stringify(tool.function)).join('\n')) ?? null,
    templateTools: format.instructions ? [] : told,
  });
  const outlined = (depth: number) => tools.map((tool) => outlinedTool(tool, depth));
  return [
    () => wording('full', tools),
    ...outlineDepths.map((depth) => () => wording('outline', outlined(depth))),
    () => wording('none', outlined(0)),
  ];
}

function outlinedTool(tool: Tool, depth: number): Tool {
  const { description, name, parameters } = tool.function;
  return {
    ...tool,
    function: {
      name,
      ...(description && depth > 1 ? { description: shortened(description) } : {}),
      parameters: trimmed(parameters ?? { type: 'object' }, depth) as Record<string, unknown>,
    },
  };
}

type Tool = GenerateParams['tools'][number];

function toolsAcceptor(
  { parallelToolCalls, toolChoice, tools }: OutputRequest,
  { context, states }: { context: OutputContext; states: StateInterner },
): Acceptor {
  const format = toolCallFormatOf(context.template);
  const callable = tools
    .map((tool, index) => ({ tool, index }))
    .filter(({ tool }) => toolChoice.mode !== 'function' || tool.function.name === toolChoice.name)
    .map(({ tool, index }) => ({
      name: tool.function.name,
      arguments: compile(parametersOf(tool), `tools[${index}].function.parameters`, states),
    }));
  const calls = callsAfterTrigger(format, callable, parallelToolCalls && toolChoice.mode !== 'function');
  return toolChoice.mode === 'auto'
    ? untilTrigger(format.trigger, calls)
    : sequence([literal(format.trigger), calls]);
}

/** A tool without parameters takes none. */
const parametersOf = ({ function: { parameters } }: GenerateParams['tools'][number]): unknown =>
  withImplicitAdditionalPropertiesFalse({ type: 'object', ...(parameters ?? { properties: {} }) });

/** Families whose trigger is a control token need to see it spelled. */
function controlTokensOf(format: ToolCallFormat, { vocabulary }: OutputContext): number[] {
  const spellings = [format.trigger, format.end.replace(/^\]/, ''), '</tool_call>'];
  return spellings.map((spelling) => vocabulary.addedId(spelling)).filter((id) => id !== undefined);
}

function compile(schema: unknown, param: string, states: StateInterner): Acceptor {
  try {
    return jsonAcceptor(states, compileSchema(schema, states, param).start);
  } catch (error) {
    if (!(error instanceof UnsupportedSchema)) throw error;
    const place = error.pointer === '' ? param : `${param}${error.pointer.replaceAll('/', '.')}`;
    throw new EngineError('invalid_value', `${place}: ${error.message}.`, place.slice(0, 200));
  }
}
