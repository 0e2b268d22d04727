/** From a request's format and tools to masks and parsers (token-mask.ts). */
import { EngineError } from '../../engine.ts';
import type { Acceptor } from '../../grammar/acceptor.ts';
import { literal, sequence } from '../../grammar/acceptor.ts';
import { jsonAcceptor } from '../../grammar/json.ts';
import { AcceptorMask, MaskSource } from '../../grammar/mask.ts';
import { withImplicitAdditionalPropertiesFalse } from '../../grammar/schema/closed-objects.ts';
import { compileSchema } from '../../grammar/schema/compile.ts';
import { UnsupportedSchema } from '../../grammar/schema/compiling.ts';
import { StateInterner } from '../../grammar/schema/schema-state.ts';
import type { TokenMask } from '../../grammar/token-mask.ts';
import { WorkBudget, WorkExceeded } from '../../grammar/work-budget.ts';
import type { GenerateParams } from '../types.ts';
import type { CompiledOutput, CompileOutput, OutputContext } from './compiled-output.ts';
import { callsAfterTrigger, type ToolCallFormat, toolCallFormatOf, untilTrigger } from './tool-formats.ts';
import { ToolParser } from './tool-parser.ts';

/** Steps that all schemas of a request may take together before anything is generated. */
const compilingWork = 250_000;

export const compileOutput: CompileOutput = (params, context) => {
  const { mode } = params.toolChoice;
  if (params.tools.length > 0 && mode !== 'none') return compileTools(params, context);
  if (params.format.type === 'text') return null;
  const states = new StateInterner(new WorkBudget(compilingWork));
  const start = formatAcceptor(params.format, states);
  const source = new MaskSource(context.vocabulary, { budget: states.budget });
  return {
    createMask: () => new BoundedMask(new AcceptorMask(source, start), 'response_format.json_schema.schema'),
    createParser: () => null,
    isStructured: true,
    visibleTokens: [],
    instructions: instructionsFor(params.format),
    templateTools: [],
  };
};

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
}

type JsonFormat = Exclude<GenerateParams['format'], { type: 'text' }>;

function formatAcceptor(format: JsonFormat, states: StateInterner): Acceptor {
  const schema =
    format.type === 'json_schema' ? withImplicitAdditionalPropertiesFalse(format.schema) : { type: 'object' };
  return compile(schema, 'response_format.json_schema.schema', states);
}

/** Without words the model fights the mask. */
function instructionsFor(format: JsonFormat): string {
  if (format.type === 'json_object') return 'Answer with one JSON object and nothing else.';
  return `Answer with JSON that fits this JSON Schema, and nothing else:\n${JSON.stringify(format.schema)}`;
}

function compileTools(params: GenerateParams, context: OutputContext): CompiledOutput {
  const format = toolCallFormatOf(context.template);
  const { tools, toolChoice } = params;
  const states = new StateInterner(new WorkBudget(compilingWork));
  const callable = tools
    .map((tool, index) => ({ tool, index }))
    .filter(({ tool }) => toolChoice.mode !== 'function' || tool.function.name === toolChoice.name)
    .map(({ tool, index }) => ({
      name: tool.function.name,
      arguments: compile(parametersOf(tool), `tools[${index}].function.parameters`, states),
    }));
  const calls = callsAfterTrigger(
    format,
    callable,
    params.parallelToolCalls && toolChoice.mode !== 'function',
  );
  const start =
    toolChoice.mode === 'auto'
      ? untilTrigger(format.trigger, calls)
      : sequence([literal(format.trigger), calls]);
  const visible = controlTokensOf(format, context);
  const source = new MaskSource(context.vocabulary, { visible, budget: states.budget });
  return {
    createMask: () => new BoundedMask(new AcceptorMask(source, start), 'tools'),
    createParser: () => new ToolParser(format),
    isStructured: toolChoice.mode !== 'auto',
    visibleTokens: visible,
    instructions:
      format.instructions?.(tools.map((tool) => JSON.stringify(tool.function)).join('\n')) ?? null,
    templateTools: format.instructions ? [] : tools,
  };
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
