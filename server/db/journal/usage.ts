/** Table `usage`: what live keys used, rolled up per key, model, day and who answered. */
import type { UsageDay } from '../../api/console/console.ts';
import type { Database } from '../open.ts';

export interface UsageStore {
  /** Adds to the days' sums, all or none. */
  add(rows: UsageDay[]): void;
  /** From `firstDay` (YYYY-MM-DD) on, oldest first. */
  since(firstDay: string): UsageDay[];
}

export function createUsageStore(db: Database): UsageStore {
  const add = db.prepare<[Omit<UsageDay, 'upstream'> & { upstream: string }]>(
    `INSERT INTO usage VALUES (@day, @key_id, @model, @upstream, @key_name, @requests, @estimated, @prompt_tokens, @completion_tokens, @images,
       @frames, @pages)
     ON CONFLICT DO UPDATE SET key_name = excluded.key_name, requests = requests + excluded.requests,
       estimated = estimated + excluded.estimated,
       prompt_tokens = prompt_tokens + excluded.prompt_tokens,
       completion_tokens = completion_tokens + excluded.completion_tokens, images = images + excluded.images,
       frames = frames + excluded.frames, pages = pages + excluded.pages`,
  );
  const since = db.prepare<[string], UsageDay>(
    `SELECT day, key_id, key_name, model, nullif(upstream, '') AS upstream, requests, estimated, prompt_tokens, completion_tokens, images, frames, pages
     FROM usage WHERE day >= ? ORDER BY day, key_id, model, upstream`,
  );
  return {
    add: db.transaction((rows: UsageDay[]) => {
      for (const row of rows) add.run({ ...row, upstream: row.upstream ?? '' });
    }),
    since: (firstDay) => since.all(firstDay),
  };
}
