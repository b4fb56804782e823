import { getOrCreate } from "../runtime/get-or-create.js";

/**
 * Counters, gauges and histograms in the text format that Prometheus reads (exposition format 0.0.4). Label values are
 * given in the order of the label names; every combination of them is a series of its own, so keep them few.
 */

export const metricsMediaType = "text/plain; version=0.0.4; charset=utf-8";

interface Metric {
  render(): string[];
}

interface MetricFacts {
  /** As Prometheus wants it: `flycatcher_http_requests_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** All metrics of a service. */
export class MetricsRegistry {
  readonly #metrics = new Map<string, Metric>();
  readonly #collectors: (() => void)[] = [];

  counter(facts: MetricFacts): Pick<Numbers, "increment"> {
    return this.#add(facts.name, new Numbers(facts, "counter"));
  }

  /** With `read`, the value is asked for at each scrape. */
  gauge(facts: MetricFacts, read?: () => number): Pick<Numbers, "set"> {
    return this.#add(facts.name, new Numbers(facts, "gauge", read));
  }

  /** `bounds`: upper edges of the buckets, ascending; one up to infinity is added. */
  histogram(facts: MetricFacts, bounds: readonly number[]): Histogram {
    return this.#add(facts.name, new Histogram(facts, bounds));
  }

  /** Calls `collect` at each scrape, to set what is asked for then. */
  beforeRender(collect: () => void): void {
    this.#collectors.push(collect);
  }

  render(): string {
    for (const collect of this.#collectors) collect();
    return [...this.#metrics.values()].flatMap((metric) => [...metric.render(), ""]).join("\n");
  }

  #add<M extends Metric>(name: string, metric: M): M {
    if (this.#metrics.has(name)) throw new Error(`the metric ${name} exists already`);
    this.#metrics.set(name, metric);
    return metric;
  }
}

/** Numbers that are one series each: of a counter, which goes up only, or of a gauge. */
class Numbers implements Metric {
  readonly #facts: MetricFacts;
  readonly #type: "counter" | "gauge";
  readonly #read: (() => number) | undefined;
  readonly #series = new Map<string, number>();

  constructor(facts: MetricFacts, type: "counter" | "gauge", read?: () => number) {
    this.#facts = facts;
    this.#type = type;
    this.#read = read;
    if (type === "counter" && facts.labels === undefined) this.#series.set("", 0);
  }

  increment(labelValues: readonly string[] = [], by = 1): void {
    const key = labelText(this.#facts, labelValues);
    this.#series.set(key, (this.#series.get(key) ?? 0) + by);
  }

  set(value: number, labelValues: readonly string[] = []): void {
    this.#series.set(labelText(this.#facts, labelValues), value);
  }

  render(): string[] {
    if (this.#read !== undefined) this.set(this.#read());
    const { name } = this.#facts;
    const lines = [...this.#series].map(([labels, value]) => `${name}${braces(labels)} ${formatNumber(value)}`);
    return [...header(this.#facts, this.#type), ...lines];
  }
}

/** Counts observations in buckets, with their sum. */
class Histogram implements Metric {
  readonly #facts: MetricFacts;
  readonly #bounds: readonly number[];
  /** Per label values: the count of each bucket, not cumulative, then that beyond the last bound, then the sum. */
  readonly #series = new Map<string, Float64Array>();

  constructor(facts: MetricFacts, bounds: readonly number[]) {
    this.#facts = facts;
    this.#bounds = bounds;
  }

  observe(value: number, labelValues: readonly string[] = []): void {
    const key = labelText(this.#facts, labelValues);
    const counts = getOrCreate(this.#series, key, () => new Float64Array(this.#bounds.length + 2));
    let bucket = 0;
    while (bucket < this.#bounds.length && !(value <= this.#bounds[bucket]!)) bucket++;
    counts[bucket]!++;
    counts[counts.length - 1]! += value;
  }

  render(): string[] {
    const { name } = this.#facts;
    const lines = header(this.#facts, "histogram");
    for (const [labels, counts] of this.#series) {
      let total = 0;
      for (const [index, bound] of [...this.#bounds, Number.POSITIVE_INFINITY].entries()) {
        total += counts[index]!;
        lines.push(`${name}_bucket${braces(labels, `le="${formatNumber(bound)}"`)} ${total}`);
      }
      lines.push(`${name}_sum${braces(labels)} ${formatNumber(counts[counts.length - 1]!)}`);
      lines.push(`${name}_count${braces(labels)} ${total}`);
    }
    return lines;
  }
}

function header({ name, help }: MetricFacts, type: string): string[] {
  return [`# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`, `# TYPE ${name} ${type}`];
}

function labelText({ name, labels = [] }: MetricFacts, values: readonly string[]): string {
  if (values.length !== labels.length) throw new Error(`${name} has ${labels.length} labels, not ${values.length}`);
  return labels.map((label, index) => `${label}="${escapeLabel(values[index]!)}"`).join(",");
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function braces(...labels: readonly string[]): string {
  const text = labels.filter((label) => label !== "").join(",");
  return text === "" ? "" : `{${text}}`;
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}
