import { allocateData, elementCount, elementTypeFacts, storageLength } from './element-types.ts';
import { NativeHandle } from './library/handle.ts';
import { addressOf, ort } from './library/library.ts';
import type { ElementType, TensorData } from './types.ts';

/** Address of empty tensors; the library refuses null. */
const nothing = new BigUint64Array(1);

/** Throws TypeError or RangeError when `data` cannot be a tensor of this type and shape. */
function checkData(type: ElementType, data: TensorData, dims: readonly number[]): void {
  const { array } = elementTypeFacts(type);
  const half = type === 'float16' && data?.constructor?.name === 'Float16Array';
  if (!(data instanceof array) && !half) {
    throw new TypeError(
      `${type} data must be a ${array.name}, not ${data?.constructor?.name ?? typeof data}`,
    );
  }
  const buffer = data.buffer as ArrayBuffer;
  if (buffer.resizable) throw new TypeError('a resizable buffer cannot back a tensor');
  const length = storageLength(type, elementCount(dims));
  if (data.length !== length) {
    throw new RangeError(
      `[${dims.join(', ')}] of ${type} needs ${length} elements of storage, not ${data.length}`,
    );
  }
}

/**
 * A tensor over a typed array, without a copy: the library reads and writes `data` in place. Giving one tensor as input
 * and as preset output of a run makes the operator work in place where it allows that (a KV cache).
 *
 * The buffer must not be transferred to another thread while a run uses it; between runs that is noticed and refused.
 */
export class Tensor {
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly data: TensorData;
  /** Made at first use, so tensors that only carry results own nothing native. */
  #handle: NativeHandle | undefined;
  #closed = false;

  constructor(type: ElementType, data: TensorData, dims: readonly number[]) {
    checkData(type, data, dims);
    this.type = type;
    this.data = data;
    this.dims = Object.freeze([...dims]);
  }

  /** A tensor of zeros. */
  static zeros(type: ElementType, dims: readonly number[]): Tensor {
    return new Tensor(type, allocateData(type, dims), dims);
  }

  /** For sessions: the native value. Throws when the tensor is closed or its buffer has been transferred away. */
  get handle(): NativeHandle {
    if (this.#closed) throw new Error('the tensor is closed');
    if ((this.data.buffer as ArrayBuffer).detached)
      throw new TypeError('the buffer of the tensor was transferred');
    this.#handle ??= new NativeHandle(this.#create(), 'ReleaseValue');
    return this.#handle;
  }

  #create(): bigint {
    const { data, dims, type } = this;
    const shape = BigInt64Array.from(dims, BigInt);
    const address = addressOf(data.byteLength > 0 ? data : nothing);
    const { cpuMemory, create } = ort();
    return create(
      'CreateTensorWithDataAsOrtValue',
      cpuMemory,
      address,
      data.byteLength,
      dims.length > 0 ? shape : nothing,
      dims.length,
      elementTypeFacts(type).code,
    );
  }

  /** Frees the native value, after the runs that use it; `data` stays usable. */
  close(): void {
    this.#closed = true;
    void this.#handle?.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
