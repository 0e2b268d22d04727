import { elementTypeFacts } from './element-types.ts';
import { OnnxError } from './errors.ts';
import { NativeHandle } from './library/handle.ts';
import { ort } from './library/library.ts';
import type { ElementType } from './types.ts';

/** The library's names of a provider's memory, newest first. */
const memoryNames: Record<string, readonly string[]> = {
  cpu: ['Cpu'],
  cuda: ['Cuda'],
  directml: ['DML'],
  webgpu: ['WebGPU_Buf', 'WebGPU_Buffer'],
};

/** A tensor that lies where the model runs. Runs read and write it in place; its numbers cannot be read here. */
export class DeviceTensor {
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly handle: NativeHandle;

  constructor(handle: NativeHandle, type: ElementType, dims: readonly number[]) {
    this.handle = handle;
    this.type = type;
    this.dims = Object.freeze([...dims]);
  }

  /** Resolves when the memory is free, which is when the runs that use it have returned. */
  close(): Promise<void> {
    return this.handle.close();
  }
}

/** The memory of a session's execution provider. Close its tensors first, then it, then the session. */
export class DeviceMemory {
  readonly #info: NativeHandle;
  readonly #allocator: NativeHandle;

  private constructor(info: NativeHandle, allocator: NativeHandle) {
    this.#info = info;
    this.#allocator = allocator;
  }

  /** @throws OnnxError when tensors cannot stay with this provider */
  static open(session: { readonly handle: NativeHandle }, provider: string): DeviceMemory {
    let refusal: unknown = new OnnxError('not_implemented', `no memory of ${provider} is known`);
    for (const name of memoryNames[provider] ?? []) {
      try {
        return DeviceMemory.#named(session, name);
      } catch (error) {
        refusal = error;
      }
    }
    throw refusal;
  }

  static #named(session: { readonly handle: NativeHandle }, name: string): DeviceMemory {
    const { create } = ort();
    // Device allocator, first device, default kind of memory.
    const info = new NativeHandle(create('CreateMemoryInfo', name, 0, 0, 0), 'ReleaseMemoryInfo');
    try {
      const address = create('CreateAllocator', session.handle.address, info.address);
      return new DeviceMemory(info, new NativeHandle(address, 'ReleaseAllocator'));
    } catch (error) {
      void info.close();
      throw error;
    }
  }

  /** Its first contents are whatever lay there. @throws OnnxError when there is no room */
  tensor(type: ElementType, dims: readonly number[]): DeviceTensor {
    const shape = BigInt64Array.from(dims, BigInt);
    const { code } = elementTypeFacts(type);
    const allocator = this.#allocator.address;
    const value = ort().create('CreateTensorAsOrtValue', allocator, shape, dims.length, code);
    return new DeviceTensor(new NativeHandle(value, 'ReleaseValue'), type, dims);
  }

  close(): void {
    void this.#allocator.close();
    void this.#info.close();
  }
}
