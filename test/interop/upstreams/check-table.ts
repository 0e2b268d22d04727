/** Results of the real engines: each check a line as it comes, the table at the end. */
export interface CheckResult {
  name: string;
  ok: boolean;
  detail: string;
}

export function engineCheckTable() {
  const rows: string[] = [];
  let failed = 0;
  return {
    row(name: string, versions: string, readyMs: number | null, results: readonly CheckResult[]) {
      for (const { detail, name: check, ok } of results)
        console.error(`${name}: ${ok ? 'ok' : 'FAILED'} ${check}${detail && `: ${detail}`}`);
      const passed = results.filter(({ ok }) => ok).length;
      failed += results.length - passed;
      const ready = readyMs === null ? '–' : `${(readyMs / 1000).toFixed(1)} s`;
      rows.push(`| ${name} | ${versions} | ${ready} | ${passed} of ${results.length} |`);
    },
    skipped(name: string, reason: string) {
      console.error(`skipped ${name}: ${reason}`);
      rows.push(`| ${name} | not installed | – | – |`);
    },
    failures: () => failed,
    print() {
      console.log(
        ['| engine | versions | ready | checks |', '| --- | --- | --- | --- |', ...rows].join('\n'),
      );
    },
  };
}
