/** Histogram of durations by operation and status. The library's own hashes its labels anew for each request. */
import type { Metric } from 'prom-client';

const name = 'lokal_request_duration_seconds';
const bucketsMs = [1, 5, 20, 100, 500, 2_000, 10_000, 60_000];

interface Series {
  operation: string;
  status: number;
  /** Requests of each bucket alone; the last: longer than all. */
  counts: Float64Array;
  sumMs: number;
}

interface Value {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

export class RequestDurations {
  readonly #byOperation = new Map<string, Map<number, Series>>();

  observe(operation: string, status: number, ms: number): void {
    const series = this.#byOperation.get(operation)?.get(status) ?? this.#begin(operation, status);
    let bucket = 0;
    while (bucket < bucketsMs.length && ms > bucketsMs[bucket]!) bucket += 1;
    series.counts[bucket]! += 1;
    series.sumMs += ms;
  }

  #begin(operation: string, status: number): Series {
    const byStatus = this.#byOperation.get(operation) ?? new Map<number, Series>();
    this.#byOperation.set(operation, byStatus);
    const series = { operation, status, counts: new Float64Array(bucketsMs.length + 1), sumMs: 0 };
    byStatus.set(status, series);
    return series;
  }

  /** As the registry of prom-client asks for it. */
  get metric(): Metric {
    const get = async () => ({
      name,
      help: 'Duration of requests by operation and status',
      type: 'histogram',
      aggregator: 'sum',
      values: [...this.#byOperation.values()].flatMap((byStatus) => [...byStatus.values()].flatMap(valuesOf)),
    });
    return { name, get, reset: () => this.#byOperation.clear() } as unknown as Metric;
  }
}

/** Buckets hold what is up to them, as Prometheus counts. */
function valuesOf({ operation, status, counts, sumMs }: Series): Value[] {
  const labels = { operation, status };
  let count = 0;
  const buckets = [...counts].map((own, index) => {
    count += own;
    const le = index < bucketsMs.length ? bucketsMs[index]! / 1000 : '+Inf';
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
