/** Looks for personal data on every page, one after the other; who closes the dialog stops it. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../../../api/api-context.tsx';
import { isAbort } from '../../../api/problem.ts';
import type { SourceFile } from '../../../components/source-file.ts';
import { pageLinesQuery } from '../templates/use-page-lines.ts';
import { pageImageQuery, pageWidths } from '../use-page-image.ts';
import { toPersonalTargets, toPieces } from './personal-data.ts';
import type { Target } from './redaction-plan.ts';

export interface PersonalSearch {
  found: Target[];
  /** Pages that were looked through; `pages` 0 until their number is known. */
  page: number;
  pages: number;
  done: boolean;
  error: unknown;
}

export function usePersonalData(source: SourceFile): PersonalSearch {
  const client = useClient();
  const queries = useQueryClient();
  const [search, setSearch] = useState<PersonalSearch>({
    found: [],
    page: 0,
    pages: 0,
    done: false,
    error: null,
  });

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const set = (change: Partial<PersonalSearch>) => {
      if (!signal.aborted) setSearch((previous) => ({ ...previous, ...change }));
    };

    async function lookAt(page: number): Promise<Target[]> {
      const lines = await queries.fetchQuery(pageLinesQuery(client, source, page));
      const targets: Target[] = [];
      for (const piece of toPieces(page, lines)) {
        const body = { model: 'svc-shield-base', input: piece.text, categories: ['pii_exposure' as const] };
        const { data } = await client.call('POST /v1/moderations', { body, signal });
        const [result] = data.results;
        if (result && 'spans' in result) targets.push(...toPersonalTargets(piece, result.spans));
      }
      return targets;
    }

    async function look(): Promise<void> {
      const { pages } = await queries.fetchQuery(pageImageQuery(client, source, 1, pageWidths.thumbnail));
      set({ pages });
      const found: Target[] = [];
      for (let page = 1; page <= pages && !signal.aborted; page++) {
        found.push(...(await lookAt(page)));
        set({ found: [...found], page });
      }
      set({ done: true });
    }

    look().catch((error) => {
      if (!isAbort(error)) set({ error, done: true });
    });
    return () => controller.abort();
  }, [client, queries, source]);

  return search;
}
