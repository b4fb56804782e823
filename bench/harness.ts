import { cpus } from "node:os";

/** Flat name → number. Names carry the unit and the statistic: `fk_us_p50`. */
export type Metrics = Record<string, number>;

export interface BenchContext {
  /** Seed of everything random in the suite; the same in every run unless `--seed` says otherwise. */
  readonly seed: number;
  /** True with `--full`: the whole of what the suite's documentation states, not the slice of a minute. */
  readonly full: boolean;
  /** Parts of the suite to run, of `--only`; empty: all. */
  readonly only?: readonly string[];
  /** Tells a person watching what is being measured; goes to stderr. */
  progress(message: string): void;
}

export interface BenchSuite {
  readonly name: string;
  readonly description: string;
  run(context: BenchContext): Promise<Metrics>;
}

/** What of a suite is measured by itself. */
export interface BenchPart {
  readonly name: string;
  measure(context: BenchContext): Promise<Metrics>;
}

/** What `--json` prints, as one object on one line of stdout. */
export interface BenchReport {
  readonly suite: string;
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly metrics: Metrics;
}

export function report(suite: BenchSuite, metrics: Metrics): BenchReport {
  const cores = cpus();
  return {
    suite: suite.name,
    date: new Date().toISOString(),
    node: process.version,
    cpu: `${cores[0]?.model.trim() ?? "unknown"} × ${cores.length}`,
    metrics,
  };
}

export interface Summary {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Order statistics of samples (nearest rank, so every figure is a sample that really occurred). */
export function summarize(samples: Float64Array): Summary {
  const sorted = Float64Array.from(samples).sort();
  let sum = 0;
  for (const sample of sorted) sum += sample;
  return {
    mean: sum / sorted.length,
    p50: nearestRank(sorted, 0.5),
    p95: nearestRank(sorted, 0.95),
    p99: nearestRank(sorted, 0.99),
    max: sorted[sorted.length - 1] ?? Number.NaN,
  };
}

function nearestRank(sorted: Float64Array, p: number): number {
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

export interface TimingOptions {
  /** Timed samples. */
  readonly samples: number;
  /** Calls per sample: more than one for functions shorter than the clock's grain. The default is 1. */
  readonly batch?: number;
  /** Untimed calls before the first sample, so that the optimiser has settled. The default is a tenth of all calls. */
  readonly warmup?: number;
}

/** Times `work(i)`, i counting up over warm-up and samples; microseconds per call. */
export function timeMicroseconds(work: (index: number) => void, options: TimingOptions): Float64Array {
  const { samples, batch = 1 } = options;
  const warmup = options.warmup ?? Math.ceil((samples * batch) / 10);
  let index = 0;
  for (let i = 0; i < warmup; i++) work(index++);
  const out = new Float64Array(samples);
  for (let s = 0; s < samples; s++) {
    const start = performance.now();
    for (let b = 0; b < batch; b++) work(index++);
    out[s] = ((performance.now() - start) * 1e3) / batch;
  }
  return out;
}

/** `{ fk_us_p50, fk_us_p99, fk_us_max }` for prefix `fk_us`. */
export function percentiles(prefix: string, samples: Float64Array): Metrics {
  const { p50, p95, p99, max } = summarize(samples);
  return { [`${prefix}_p50`]: p50, [`${prefix}_p95`]: p95, [`${prefix}_p99`]: p99, [`${prefix}_max`]: max };
}
