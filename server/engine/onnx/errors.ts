import { EngineError } from '../engine.ts';

/** OrtErrorCode of the C API, by number. */
const ortCodes = [
  'ok',
  'fail',
  'invalid_argument',
  'no_such_file',
  'no_model',
  'engine_error',
  'runtime_exception',
  'invalid_protobuf',
  'model_loaded',
  'not_implemented',
  'invalid_graph',
  'provider_failed',
  'load_canceled',
  'requires_compilation',
  'not_found',
] as const;

export type OrtCode = (typeof ortCodes)[number];

/** Words that a client may read. The library's own text can name files and nodes, so it stays in `detail`. */
const publicMessages: Partial<Record<OrtCode, string>> = {
  no_such_file: 'A file of the model is missing.',
  invalid_protobuf: 'The model file is damaged or is not an ONNX model.',
  invalid_graph: 'The graph of the model is not valid.',
  not_implemented: 'The model needs an operator that this version does not have.',
  provider_failed: 'The execution provider failed.',
};

/** A refusal or failure of onnxruntime. `detail` is for the console and `lokal doctor`, never for an API client. */
export class OnnxError extends EngineError {
  readonly ortCode: OrtCode;
  readonly detail: string;

  constructor(ortCode: OrtCode, detail: string) {
    const outOfMemory = /bad_alloc|alloc\w* (?:memory|failed)|failed to allocate|out of memory/i.test(detail);
    super(
      outOfMemory ? 'server_overloaded' : 'internal_error',
      outOfMemory
        ? 'There is not enough memory to run the model.'
        : (publicMessages[ortCode] ?? 'The model failed to run.'),
    );
    this.name = 'OnnxError';
    this.ortCode = ortCode;
    this.detail = detail;
  }
}

export function ortCodeOf(code: number): OrtCode {
  return ortCodes[code] ?? 'fail';
}
