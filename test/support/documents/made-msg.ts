/** Compound files ([MS-CFB]) and the mails in them ([MS-OXMSG]), made on the spot. */

export interface Storage {
  [name: string]: Uint8Array | Storage;
}

interface Entry {
  name: string;
  content: Uint8Array | Storage;
  child: number;
  next: number;
}

const sectorSize = 512;
const miniSize = 64;
const miniCutoff = 4096;
const none = 0xffff_ffff;
const endOfChain = 0xffff_fffe;
const fatSector = 0xffff_fffd;

const padded = (bytes: Uint8Array, unit: number): Uint8Array => {
  const whole = new Uint8Array(unit * Math.ceil(bytes.length / unit));
  whole.set(bytes);
  return whole;
};

const isStream = (content: Entry['content']): content is Uint8Array => content instanceof Uint8Array;

/** Entries with the numbers of their first child and of the sibling behind them; the first is the root. */
function entriesOf(root: Storage): Entry[] {
  const entries: Entry[] = [{ name: 'Root Entry', content: root, child: none, next: none }];
  for (let at = 0; at < entries.length; at++) {
    const { content } = entries[at]!;
    if (isStream(content)) continue;
    for (const [index, [name, inner]] of Object.entries(content).entries()) {
      if (index === 0) entries[at]!.child = entries.length;
      else entries.at(-1)!.next = entries.length;
      entries.push({ name, content: inner, child: none, next: none });
    }
  }
  return entries;
}

/** Chains of sectors, numbered as they are added. */
class Sectors {
  readonly next: number[] = [];
  readonly data: Uint8Array[] = [];
  readonly #unit: number;

  constructor(unit: number) {
    this.#unit = unit;
  }

  add(bytes: Uint8Array): number {
    const count = Math.ceil(bytes.length / this.#unit);
    if (count === 0) return endOfChain;
    const first = this.next.length;
    for (let index = 1; index <= count; index++) this.next.push(index < count ? first + index : endOfChain);
    this.data.push(padded(bytes, this.#unit));
    return first;
  }
}

const numbers = (values: readonly number[], fill: number): Uint8Array => {
  const bytes = new Uint8Array(sectorSize * Math.ceil(values.length / (sectorSize / 4)));
  const view = new DataView(bytes.buffer);
  for (let at = 0; 4 * at < bytes.length; at++) view.setUint32(4 * at, values[at] ?? fill, true);
  return bytes;
};

function directoryOf(
  entries: readonly Entry[],
  places: readonly { start: number; size: number }[],
): Uint8Array {
  const bytes = new Uint8Array(128 * entries.length);
  const view = new DataView(bytes.buffer);
  for (const [index, { name, content, child, next }] of entries.entries()) {
    const at = 128 * index;
    bytes.set(Buffer.from(name, 'utf16le').subarray(0, 62), at);
    view.setUint16(at + 64, 2 * name.length + 2, true);
    view.setUint8(at + 66, index === 0 ? 5 : isStream(content) ? 2 : 1);
    view.setUint32(at + 68, none, true);
    view.setUint32(at + 72, next, true);
    view.setUint32(at + 76, child, true);
    view.setUint32(at + 116, places[index]!.start, true);
    view.setUint32(at + 120, places[index]!.size, true);
  }
  return bytes;
}

/** A compound file of these streams and storages; of at most seven megabytes. */
export function compoundFile(root: Storage): Uint8Array {
  const entries = entriesOf(root);
  const [sectors, minis] = [new Sectors(sectorSize), new Sectors(miniSize)];
  const places = entries.map(({ content }) => {
    if (!isStream(content)) return { start: 0, size: 0 };
    const store = content.length < miniCutoff ? minis : sectors;
    return { start: store.add(content), size: content.length };
  });
  const mini = Buffer.concat(minis.data);
  places[0] = { start: sectors.add(mini), size: mini.length };
  const miniFat = sectors.add(numbers(minis.next, none));
  const directory = sectors.add(directoryOf(entries, places));
  const count = Math.ceil(sectors.next.length / (sectorSize / 4 - 1));
  const first = sectors.next.length;
  const fat = numbers([...sectors.next, ...Array<number>(count).fill(fatSector)], none);
  const header = new Uint8Array(sectorSize);
  const view = new DataView(header.buffer);
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  view.setUint16(24, 0x3e, true);
  view.setUint16(26, 3, true);
  view.setUint16(28, 0xfffe, true);
  view.setUint16(30, 9, true);
  view.setUint16(32, 6, true);
  view.setUint32(44, count, true);
  view.setUint32(48, directory, true);
  view.setUint32(56, miniCutoff, true);
  view.setUint32(60, miniFat, true);
  view.setUint32(68, endOfChain, true);
  for (let index = 0; index < 109; index++)
    view.setUint32(76 + 4 * index, index < count ? first + index : none, true);
  return Buffer.concat([header, ...sectors.data, fat]);
}

const wide = (text: string): Uint8Array => Buffer.from(text, 'utf16le');

export interface MadeMail {
  subject: string;
  body: string;
  files?: [name: string, bytes: Uint8Array][];
  /** Mails attached as such, not as files. */
  mails?: MadeMail[];
}

function mailStorage({ subject, body, files = [], mails = [] }: MadeMail): Storage {
  const attached = [
    ...files.map(
      ([name, bytes]): Storage => ({
        '__substg1.0_3707001F': wide(name),
        '__substg1.0_37010102': bytes,
      }),
    ),
    ...mails.map(
      (mail): Storage => ({
        '__substg1.0_3707001F': wide(mail.subject),
        '__substg1.0_3701000D': mailStorage(mail),
      }),
    ),
  ];
  return {
    '__properties_version1.0': new Uint8Array(32),
    '__substg1.0_0037001F': wide(subject),
    '__substg1.0_0C1A001F': wide('Siti'),
    '__substg1.0_0E04001F': wide('Jürgen'),
    '__substg1.0_1000001F': wide(body),
    ...Object.fromEntries(
      attached.map((storage, index) => [
        `__attach_version1.0_#${index.toString(16).toUpperCase().padStart(8, '0')}`,
        storage,
      ]),
    ),
  };
}

export const madeMsg = (mail: MadeMail): Uint8Array => compoundFile(mailStorage(mail));
