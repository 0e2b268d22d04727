/** Connected pieces of ink, for the documents and the images engine alike: what a pen drew without lifting, a letter, a bar. */

export interface Component {
  /** Left, upper, right and lower edge in pixels; the last two exclusive. */
  box: [x0: number, y0: number, x1: number, y1: number];
  /** Pixels of ink. */
  area: number;
}

/** One byte a pixel: 1 ink, 0 paper. */
export interface InkImage {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Pages of noise have more pieces than anything that is looked for. */
const maxRuns = 3_000_000;

/** All pieces, joined also over corners. Runs of each row are united with those they touch in the row above. */
export function findComponents({ width, height, data }: InkImage): Component[] {
  const parents: number[] = [];
  const components: Component[] = [];
  const rootOf = (label: number): number => {
    let root = label;
    while (parents[root] !== root) root = parents[root]!;
    while (parents[label] !== root) [parents[label], label] = [root, parents[label]!];
    return root;
  };
  let above: number[] = [];
  let current: number[] = [];
  for (let y = 0; y < height && components.length < maxRuns; y++) {
    current = [];
    let next = 0;
    for (let x = 0; x < width; x++) {
      if (!data[y * width + x]) continue;
      const from = x;
      while (x < width && data[y * width + x]) x++;
      const label = components.length;
      components.push({ box: [from, y, x, y + 1], area: x - from });
      parents.push(label);
      // `above` and `current` hold triples: from, to, label.
      while (next < above.length && above[next + 1]! < from) next += 3;
      for (let index = next; index < above.length && above[index]! <= x; index += 3) {
        const root = rootOf(above[index + 2]!);
        parents[rootOf(label)] = root;
      }
      current.push(from, x, label);
    }
    above = current;
  }
  for (const [label, component] of components.entries()) {
    const root = rootOf(label);
    if (root !== label) absorb(components[root]!, component);
  }
  return components.filter((_, label) => parents[label] === label);
}

function absorb(whole: Component, part: Component): void {
  whole.area += part.area;
  const [a, b] = [whole.box, part.box];
  if (b[0] < a[0]) a[0] = b[0];
  if (b[1] < a[1]) a[1] = b[1];
  if (b[2] > a[2]) a[2] = b[2];
  if (b[3] > a[3]) a[3] = b[3];
}
