import { describe, expect, it } from "vitest";
import { MetricsRegistry } from "../../src/service/metrics.js";

describe("MetricsRegistry", () => {
  it("renders a counter, with and without labels", () => {
    const metrics = new MetricsRegistry();
    metrics.counter({ name: "a_total", help: "All a." }).increment();
    const byKind = metrics.counter({ name: "b_total", help: "All b.", labels: ["kind", "name"] });
    byKind.increment(["x", 'quote " slash \\ line \n'], 2);
    byKind.increment(["y", ""]);
    byKind.increment(["y", ""]);
    expect(metrics.render()).toBe(
      [
        "# HELP a_total All a.",
        "# TYPE a_total counter",
        "a_total 1",
        "",
        "# HELP b_total All b.",
        "# TYPE b_total counter",
        'b_total{kind="x",name="quote \\" slash \\\\ line \\n"} 2',
        'b_total{kind="y",name=""} 2',
        "",
      ].join("\n"),
    );
  });

  it("shows a counter that has not counted yet", () => {
    const metrics = new MetricsRegistry();
    metrics.counter({ name: "a_total", help: "x" });
    expect(metrics.render()).toContain("a_total 0");
  });

  it("renders gauges, asking for their value at each scrape", () => {
    const metrics = new MetricsRegistry();
    let value = 1;
    metrics.gauge({ name: "g", help: "x" }, () => value);
    metrics.gauge({ name: "h", help: "x" }).set(Number.NEGATIVE_INFINITY);
    expect(metrics.render()).toContain("\ng 1\n");
    value = 2.5;
    expect(metrics.render()).toContain("\ng 2.5\n");
    expect(metrics.render()).toContain("\nh -Inf\n");
  });

  it("renders cumulative buckets, sum and count of a histogram", () => {
    const metrics = new MetricsRegistry();
    const histogram = metrics.histogram({ name: "t", help: "x", labels: ["r"] }, [1, 2]);
    for (const value of [0.5, 1, 1.5, 7, 3]) histogram.observe(value, ["q"]);
    expect(metrics.render().split("\n").slice(2, 7)).toEqual([
      't_bucket{r="q",le="1"} 2',
      't_bucket{r="q",le="2"} 3',
      't_bucket{r="q",le="+Inf"} 5',
      't_sum{r="q"} 13',
      't_count{r="q"} 5',
    ]);
  });

  it("refuses the same name twice and the wrong number of labels", () => {
    const metrics = new MetricsRegistry();
    const counter = metrics.counter({ name: "a", help: "x", labels: ["l"] });
    expect(() => metrics.gauge({ name: "a", help: "x" })).toThrow(/exists already/);
    expect(() => counter.increment()).toThrow(/1 labels, not 0/);
  });
});
