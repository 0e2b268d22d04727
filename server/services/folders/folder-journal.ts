/** Journal of an output folder: which content of which file was last worked through, what was written of it, and which failed. */
import { appendFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { FullDiskError, isFull } from '../../full-disk.ts';

const LineSchema = Type.Union([
  Type.Object({
    sha256: Type.String(),
    name: Type.String(),
    files: Type.Optional(Type.Array(Type.String())),
  }),
  Type.Object({ failed: Type.String() }),
]);
type Line = Static<typeof LineSchema>;

function parsed(text: string): Line | null {
  try {
    const line: unknown = JSON.parse(text);
    return Value.Check(LineSchema, line) ? line : null;
  } catch {
    // The last line of a run that was cut off.
    return null;
  }
}

/** Of each name what was done last: later answers take the place of earlier ones, which are then to be done anew. */
export class FolderJournal {
  readonly #path: string;
  readonly #hashes = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #files = new Map<string, readonly string[]>();
  readonly #failed = new Set<string>();

  private constructor(path: string) {
    this.#path = path;
  }

  /** @param kind work of one kind is done once in an output folder */
  static async open(out: string, kind: string): Promise<FolderJournal> {
    const journal = new FolderJournal(join(out, `.lokal-${kind}.jsonl`));
    const text = await readFile(journal.#path, 'utf8').catch(() => '');
    // Half a line, which the next is not to be joined to.
    if (text !== '' && !text.endsWith('\n')) await appendFile(journal.#path, '\n');
    for (const row of text.split('\n')) {
      const line = parsed(row);
      if (line) journal.#take(line);
    }
    return journal;
  }

  has(hash: string): boolean {
    return this.#names.has(hash);
  }

  /** Paths below the output folder that were last written of a file. */
  filesOf(name: string): readonly string[] {
    return this.#files.get(name) ?? [];
  }

  /** True where `errors/` tells of it. */
  hasFailed(name: string): boolean {
    return this.#failed.has(name);
  }

  done(name: string, sha256: string, files: string[]): Promise<void> {
    return this.#append({ sha256, name, files });
  }

  failed(name: string): Promise<void> {
    return this.#append({ failed: name });
  }

  #take(line: Line): void {
    const name = 'failed' in line ? line.failed : line.name;
    this.#names.delete(this.#hashes.get(name) ?? '');
    this.#hashes.delete(name);
    this.#files.delete(name);
    if ('failed' in line) {
      this.#failed.add(name);
      return;
    }
    this.#failed.delete(name);
    this.#hashes.set(name, line.sha256);
    this.#names.set(line.sha256, name);
    this.#files.set(name, line.files ?? []);
  }

  async #append(line: Line): Promise<void> {
    await appendFile(this.#path, `${JSON.stringify(line)}\n`).catch((error: unknown) => {
      throw isFull(error) ? new FullDiskError(dirname(this.#path)) : error;
    });
    this.#take(line);
  }
}
