/** The time that a page may take, over all of its stages together. Time in the networks does not count: they always end. */

import type { TextModels } from '../vision/ocr/models/text-models.ts';

export class PageClock {
  readonly #budgetMs: number;
  readonly #start = performance.now();
  #outsideMs = 0;
  #outsideSince = 0;
  #outside = 0;

  constructor(budgetMs = Number.POSITIVE_INFINITY) {
    this.#budgetMs = budgetMs;
  }

  /** True once the page has taken this share of its time. */
  isSpent(share = 1): boolean {
    const outsideMs = this.#outsideMs + (this.#outside > 0 ? performance.now() - this.#outsideSince : 0);
    return performance.now() - this.#start - outsideMs > share * this.#budgetMs;
  }

  /** The same networks, whose time is not the page's. */
  uncounted(models: TextModels): TextModels {
    return {
      characters: models.characters,
      cropHeightPx: models.cropHeightPx,
      findText: (pixels) => this.#wait(models.findText(pixels)),
      read: (crops) => this.#wait(models.read(crops)),
    };
  }

  async #wait<T>(work: Promise<T>): Promise<T> {
    if (this.#outside++ === 0) this.#outsideSince = performance.now();
    try {
      return await work;
    } finally {
      if (--this.#outside === 0) this.#outsideMs += performance.now() - this.#outsideSince;
    }
  }
}
