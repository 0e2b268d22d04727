/** Objects of a PDF 1.4 in the order they are written, their table and the trailer. */

export class PdfObjects {
  readonly #parts: Buffer[] = [];
  readonly #offsets: number[] = [];
  #length = 0;
  #last: number;

  /** @param reserved numbers 1 to this are the caller's, for objects that others point to before they are written */
  constructor(reserved: number) {
    this.#last = reserved;
    this.#put('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n');
  }

  #put(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data);
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  write(number: number, body: string): void {
    this.#offsets[number] = this.#length;
    this.#put(`${number} 0 obj\n${body}\nendobj\n`);
  }

  /** @param body with a stream: its dictionary without length and end. @returns the object's number */
  add(body: string, stream?: Uint8Array): number {
    this.#last += 1;
    if (!stream) this.write(this.#last, body);
    else {
      this.#offsets[this.#last] = this.#length;
      this.#put(`${this.#last} 0 obj\n${body}/Length ${stream.length}>>\nstream\n`);
      this.#put(stream);
      this.#put('\nendstream\nendobj\n');
    }
    return this.#last;
  }

  finish(root: number): Uint8Array {
    const start = this.#length;
    const count = this.#last + 1;
    this.#put(`xref\n0 ${count}\n0000000000 65535 f \n`);
    for (const offset of this.#offsets.slice(1)) this.#put(`${String(offset).padStart(10, '0')} 00000 n \n`);
    this.#put(`trailer\n<</Size ${count}/Root ${root} 0 R>>\nstartxref\n${start}\n%%EOF\n`);
    return Buffer.concat(this.#parts);
  }
}
