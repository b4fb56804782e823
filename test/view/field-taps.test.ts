import { describe, expect, it } from "vitest";
import { choice, f64, flag, text, time } from "../../src/transport/channels/field.js";
import {
  list,
  type MessageType,
  message,
  omittable,
  optional,
  records,
  row,
  several,
} from "../../src/transport/message.js";
import { numberReader, numericFields, timeReader } from "../../src/transport/message-numbers.js";
import { Queue } from "../../src/transport/queue.js";
import { FieldTaps, MAX_SAMPLES, SAMPLE_RATE } from "../../src/view/field-taps.js";

const Sample = message("Sample", 1, "A message with every kind of field.", {
  timeNs: time,
  name: text(8),
  speed: f64,
  isThere: flag,
  mode: choice({ slow: 0, fast: 3 }),
  joints: several(4),
  pose: row(3),
  limit: optional(f64),
  lift: omittable(row(3)),
  balls: records({ track: f64, path: list(row(2), 5) }, 2),
});

const sample = (timeNs: number, speed: number) => ({
  timeNs,
  name: "a",
  speed,
  isThere: true,
  mode: "fast",
  joints: Float64Array.of(1, 2),
  pose: Float64Array.of(3, 4, 5),
  limit: null,
  balls: [{ track: 7, path: [Float64Array.of(8, 9)] }],
});

describe("the numbers of a message", () => {
  it("are all its fields but texts, with room for each index", () => {
    expect(numericFields(Sample).map(({ path, counts }) => [path, ...counts])).toEqual([
      ["timeNs"],
      ["speed"],
      ["isThere"],
      ["mode"],
      ["joints[]", 4],
      ["pose[]", 3],
      ["limit"],
      ["lift[]", 3],
      ["balls[].track", 2],
      ["balls[].path[][]", 2, 5, 2],
    ]);
  });

  it.each([
    ["timeNs", 2],
    ["speed", 0.5],
    ["isThere", 1],
    ["mode", 3],
    ["joints[1]", 2],
    ["joints[3]", Number.NaN],
    ["pose[2]", 5],
    ["limit", Number.NaN],
    ["lift[1]", Number.NaN],
    ["balls[0].track", 7],
    ["balls[0].path[0][1]", 9],
    ["balls[1].path[0][1]", Number.NaN],
  ])("are read by their path: %s", (path, value) => {
    expect(numberReader(Sample, path)(sample(2e9, 0.5))).toBe(value);
    expect(timeReader(Sample)?.(sample(2e9, 0.5))).toBe(2);
  });

  it.each(["name", "nothing", "joints", "joints[4]", "balls[2].track", "balls[0].path[0]", "speed[0]", ""])(
    "are refused where there is none: %j",
    (path) => expect(() => numberReader(Sample, path)).toThrow(expect.objectContaining({ code: "FLY_FIELD_UNKNOWN" })),
  );
});

/** One out-port, whose taps are counted. */
class Source {
  readonly open = new Set<Queue<object>>();
  typeOf(port: string): MessageType | null {
    return port === "node.port" ? Sample : null;
  }
  tap(): Queue<object> {
    const queue = new Queue<object>(0, "every");
    this.open.add(queue);
    return queue;
  }
  untap(_port: string, queue: object): void {
    this.open.delete(queue as Queue<object>);
  }
  put(message: { readonly timeNs: number }): void {
    for (const queue of this.open) queue.put(message, message.timeNs);
  }
}

describe("taps of fields", () => {
  it("open a port while one of its fields is wanted, and no longer", () => {
    const source = new Source();
    const taps = new FieldTaps(source);
    taps.fields = ["node.port.speed", "node.port.pose[0]"];
    expect(source.open.size).toBe(1);
    taps.fields = ["node.port.pose[0]"];
    expect(taps.ports).toEqual(["node.port"]);
    taps.fields = [];
    expect(source.open.size).toBe(0);
    expect(() => (taps.fields = ["node.other.speed"])).toThrow(/no such out-port/);
  });

  it("sample at most 50 times a second of the run's clock, whatever comes", () => {
    const source = new Source();
    const taps = new FieldTaps(source);
    taps.fields = ["node.port.speed"];
    for (let k = 0; k < 1000; k++) source.put(sample(1e6 * k, k));
    taps.poll(1e9);
    const [series] = taps.take();
    expect(series?.field).toBe("node.port.speed");
    expect(series!.times.length).toBeGreaterThan(0.9 * SAMPLE_RATE);
    expect(series!.times.length).toBeLessThanOrEqual(1.1 * SAMPLE_RATE);
    for (const [k, time] of series!.times.entries()) expect(series!.values[k]).toBeCloseTo(1e3 * time, 9);
    expect(taps.take()).toEqual([]);
  });

  it("keep a bounded number of samples, the newest", () => {
    const source = new Source();
    const taps = new FieldTaps(source);
    taps.fields = ["node.port.speed"];
    for (let k = 0; k < 3 * MAX_SAMPLES; k++) source.put(sample(1e9 * k, k));
    taps.poll(1e15);
    const [series] = taps.take();
    expect(series?.values).toHaveLength(MAX_SAMPLES);
    expect(series?.values.at(-1)).toBe(3 * MAX_SAMPLES - 1);
  });
});
