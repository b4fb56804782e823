import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RecordingWriter } from "../../src/recording/format/recording-writer.js";
import { recordSimulatedThrows } from "../../src/run/simulated-recording.js";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { MemorySink } from "../recording/memory-sink.js";
import { serviceOptions } from "./make-service.js";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const octets = { "content-type": "application/octet-stream" };

/** One throw at a table arm, as points: the smallest recording there is. */
async function smallRecording(): Promise<Buffer> {
  const sink = new MemorySink();
  const options = { robot: "lwr-arm", perception: "points", world: "kinematic", seed: "points 01" } as const;
  const short = { settlingNs: 100_000_000, jointPeriodNs: null, end: "balls are over" } as const;
  let writer: RecordingWriter | null = null;
  await recordSimulatedThrows({ ...options, ...short }, async (header) => {
    writer = await RecordingWriter.create(sink, header, { foxglove: "none" });
    return writer;
  });
  (writer as RecordingWriter | null)?.close();
  return Buffer.from(sink.bytes());
}

let app: ServiceInstance;
let bytes: Buffer;

beforeAll(async () => {
  bytes = await smallRecording();
  app = await createService(serviceOptions("service.uploadLimitBytes=200000", "service.maxUploads=3"));
});
afterAll(() => app.close());

const upload = (payload: Buffer) => app.inject({ method: "POST", url: "/v1/recordings", headers: octets, payload });

/** Waits for the end of a replay by its events, all of which are returned. */
async function events(url: string): Promise<string> {
  return (await app.inject({ method: "GET", url: `${url}/events` })).body;
}

describe("recordings over HTTP", () => {
  it("are uploaded, listed, replayed and reported on", async () => {
    const uploaded = await upload(bytes);
    expect(uploaded.statusCode).toBe(201);
    const { id, robot, perception, origin } = uploaded.json();
    expect({ robot, perception, origin }).toEqual({ robot: "lwr-arm", perception: "points", origin: "uploaded" });
    const listed = (await app.inject({ method: "GET", url: "/v1/recordings" })).json();
    expect(listed.recordings.map((entry: { id: string }) => entry.id)).toContain(id);

    const payload = { recordings: [id], mode: "soft", detail: "brief" };
    const started = await app.inject({ method: "POST", url: "/v1/replays", payload });
    expect(started.statusCode).toBe(202);
    const { url } = started.json();
    const early = await app.inject({ method: "GET", url: `${url}/report` });
    expect(early.statusCode).toBe(409);
    expect(early.json()).toMatchObject({ code: "FLY_REPLAY_UNFINISHED" });
    const told = await events(url);
    expect(told).toMatch(/^event: progress\ndata: \{/);
    expect(told).toContain("event: done\n");

    const state = (await app.inject({ method: "GET", url })).json();
    expect(state).toMatchObject({ state: "done", progress: 1, summary: { throws: 1 } });
    const result = (await app.inject({ method: "GET", url: state.result })).json();
    expect(result.files[0]).toMatchObject({ file: id, robot: "lwr-arm" });
    expect(result.files[0].throws[0].verdict.outcome).toBe("caught");
    const page = await app.inject({ method: "GET", url: state.report });
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.body).toContain("caught");
    expect(page.body).not.toMatch(/<script|src=|https?:\/\//);

    const file = await app.inject({ method: "GET", url: `/v1/recordings/${id}/file` });
    expect(file.rawPayload.equals(Buffer.from(bytes))).toBe(true);
    expect((await app.inject({ method: "DELETE", url: `/v1/recordings/${id}` })).statusCode).toBe(204);
    expect((await app.inject({ method: "GET", url: `/v1/recordings/${id}` })).statusCode).toBe(404);
  });

  it.each([
    ["nothing", () => Buffer.alloc(0), 422],
    ["text", () => Buffer.from("not a recording at all, though long enough to be looked at"), 422],
    ["the first half of one", () => bytes.subarray(0, 60), 422],
    ["too much", () => Buffer.alloc(300_000), 413],
  ] as const)("refuse %s with a problem, and keep nothing of it", async (_, payload, status) => {
    const answer = await upload(payload());
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
    const listed = (await app.inject({ method: "GET", url: "/v1/recordings" })).json();
    expect(listed.recordings.every(({ origin }: { origin: string }) => origin === "shipped")).toBe(true);
  });

  it("never become paths, whatever a client calls them", async () => {
    for (const id of ["..%2f..%2fetc%2fpasswd", "single-01%00", "%2Fetc%2Fpasswd"]) {
      const answer = await app.inject({ method: "GET", url: `/v1/recordings/${id}` });
      expect([400, 404]).toContain(answer.statusCode);
    }
    const payload = { recordings: ["../../package.json"] };
    const started = await app.inject({ method: "POST", url: "/v1/replays", payload });
    expect(started.json()).toMatchObject({ code: "FLY_UPLOAD_UNKNOWN" });
    const robot = await app.inject({
      method: "POST",
      url: "/v1/replays",
      payload: { ...payload, robot: "/etc/robot.json" },
    });
    expect(robot.json()).toMatchObject({ code: "FLY_ROBOT_UNKNOWN" });
  });

  it("are no more than the service may keep, and can be cancelled while they are replayed", async () => {
    const ids: string[] = [];
    for (let k = 0; k < 3; k++) ids.push((await upload(bytes)).json().id);
    expect((await upload(bytes)).json()).toMatchObject({ code: "FLY_UPLOADS_FULL" });
    const start = () => app.inject({ method: "POST", url: "/v1/replays", payload: { recordings: ids } });
    const [first, second] = [(await start()).json(), (await start()).json()];
    expect((await start()).json()).toMatchObject({ code: "FLY_REPLAYS_BUSY" });
    for (const { url } of [first, second]) {
      expect((await app.inject({ method: "DELETE", url })).statusCode).toBe(204);
      expect((await app.inject({ method: "GET", url })).json()).toMatchObject({ code: "FLY_REPLAY_UNKNOWN" });
    }
  });

  it("are gone from the disk when the service is", async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("flycatcher-recordings-")).length;
    const own = await createService(serviceOptions());
    await own.inject({ method: "POST", url: "/v1/recordings", headers: octets, payload: bytes });
    await own.close();
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith("flycatcher-recordings-")).length;
    expect(after).toBeLessThanOrEqual(before);
  });
});
