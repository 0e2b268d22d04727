/** Figures against what they should reach. */

export interface Figures {
  [name: string]: number | null | Figures;
}

/** Paths such as `words.recall` of the figures that are measured and lower than their floor. */
export function belowFloors(figures: Figures, floors: Figures, path = ''): string[] {
  return Object.entries(floors).flatMap(([name, floor]) => {
    const figure = figures[name];
    if (figure === null || figure === undefined || floor === null) return [];
    if (typeof figure === 'object' && typeof floor === 'object')
      return belowFloors(figure, floor, `${path}${name}.`);
    return figure < floor ? [`${path}${name}`] : [];
  });
}
