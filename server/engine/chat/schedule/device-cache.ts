/**
 * Keys and values in the memory of a provider. Every slot has tensors of its own, since not every provider lets a tensor
 * begin in the middle of another; so two slots are exchanged by name alone. A copy is made by the provider before the
 * next run: until then nothing that it reads can change.
 */
import type { DeviceTensor } from '../../onnx/device.ts';
import type { KvStore } from './kv-cache.ts';

export interface PendingCopy {
  from: readonly DeviceTensor[];
  to: readonly DeviceTensor[];
}

export class DeviceCache implements KvStore {
  readonly #slots: (DeviceTensor[] | undefined)[];
  readonly #make: () => DeviceTensor[];
  #copies: PendingCopy[] = [];

  /** @param make tensors of one slot, keys and values of every layer; called when it is first used */
  constructor(slots: number, make: () => DeviceTensor[]) {
    this.#slots = Array.from({ length: slots }, () => undefined);
    this.#make = make;
  }

  tensors(slot: number): readonly DeviceTensor[] {
    this.#slots[slot] ??= this.#make();
    return this.#slots[slot];
  }

  copy(from: number, to: number): void {
    this.#copies.push({ from: this.tensors(from), to: this.tensors(to) });
  }

  swap(one: number, other: number): void {
    const kept = this.#slots[one];
    this.#slots[one] = this.#slots[other];
    this.#slots[other] = kept;
  }

  /** Copies to make before anything is computed, in order. */
  takeCopies(): PendingCopy[] {
    return this.#copies.splice(0);
  }

  async close(): Promise<void> {
    this.#copies = [];
    const tensors = this.#slots.splice(0).flatMap((slot) => slot ?? []);
    await Promise.all(tensors.map((tensor) => tensor.close()));
  }
}
