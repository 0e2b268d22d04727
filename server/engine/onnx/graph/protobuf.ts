/**
 * Writes protobuf wire format (https://protobuf.dev/programming-guides/encoding/). Bytes given are referenced, not
 * copied, until `finish()` lays everything out once: weights of gigabytes pass through.
 */
export class ProtobufWriter {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Field of type int32, int64 or an enum. */
  integer(field: number, value: number | bigint): this {
    return this.#key(field, 0).#varint(value);
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#key(field, 5).#append(bytes);
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, 'utf8'));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#key(field, 2).#varint(value.byteLength).#append(value);
  }

  message(field: number, value: ProtobufWriter): this {
    this.#key(field, 2).#varint(value.#size);
    for (const chunk of value.#chunks) this.#append(chunk);
    return this;
  }

  /** A field as it was read, key included. */
  raw(field: Uint8Array): this {
    return this.#append(field);
  }

  finish(): Uint8Array {
    const result = new Uint8Array(this.#size);
    let offset = 0;
    for (const chunk of this.#chunks) {
      result.set(chunk, offset);
      offset += chunk.byteLength;
    }
    return result;
  }

  #key(field: number, wireType: number): this {
    return this.#varint((field << 3) | wireType);
  }

  #varint(value: number | bigint): this {
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    do {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      bytes.push(rest > 0n ? low | 0x80 : low);
    } while (rest > 0n);
    return this.#append(Uint8Array.from(bytes));
  }

  #append(bytes: Uint8Array): this {
    this.#chunks.push(bytes);
    this.#size += bytes.byteLength;
    return this;
  }
}
