import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { type RunningService, startService } from "../../src/service/start-service.js";
import { bombOf, channelRecord, chunkOf, fileOf, repeated } from "../recording/mcap/hostile-files.js";
import { recordingOf } from "../recording/recordings.js";
import { descriptors } from "../support/descriptors.js";
import { eventually } from "../support/eventually.js";
import { expectProblem, serviceOptions } from "./make-service.js";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const octets = { "content-type": "application/octet-stream" };

/** Files of uploads in folders of this process. */
function keptFiles(): string[] {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith("flycatcher-recordings-"));
  return folders
    .filter((name) => name.includes(`-${process.pid}-`))
    .flatMap((name) => readdirSync(join(tmpdir(), name)));
}

describe("an upload that is no file", () => {
  let app: ServiceInstance;
  beforeAll(async () => {
    app = await createService(serviceOptions());
  });
  afterAll(() => app.close());

  it("is refused by its type, and leaves no descriptor open", async () => {
    const before = await descriptors();
    for (let k = 0; k < 30; k++) {
      const bare = await app.inject({ method: "POST", url: "/v1/recordings" });
      expectProblem(bare, "FLY_HTTP_MEDIA_TYPE", 415);
      for (const payload of [{ a: 1 }, [1], "null"]) {
        const headers = { "content-type": "application/json" };
        const json = await app.inject({ method: "POST", url: "/v1/recordings", headers, payload });
        expectProblem(json, "FLY_HTTP_MEDIA_TYPE", 415);
      }
      const empty = await app.inject({ method: "POST", url: "/v1/recordings", headers: octets });
      expectProblem(empty, "FLY_RECORDING_EMPTY", 422);
    }
    expect(await descriptors()).toBeLessThanOrEqual(before);
  });

  it("is nothing for a replay either", async () => {
    const answer = await app.inject({
      method: "POST",
      url: "/v1/replays",
      headers: octets,
      payload: Buffer.from("{}"),
    });
    expectProblem(answer, "FLY_HTTP_MEDIA_TYPE", 415);
  });
});

describe("an upload that takes much work", () => {
  let service: RunningService;
  beforeAll(async () => {
    const limits = ["service.uploadReadTimeoutMs=300", "service.maxUploads=1"];
    service = await startService(serviceOptions(...limits));
  });
  afterAll(() => service.close());

  const send = (body: Uint8Array, signal?: AbortSignal) => {
    const init = { method: "POST", headers: octets, body: Buffer.from(body), ...(signal && { signal }) };
    return fetch(`${service.address}/v1/recordings`, init);
  };

  it("is refused where its records are too many", async () => {
    const answer = await send(fileOf(chunkOf(repeated(channelRecord, 5000))));
    expect(await answer.json()).toMatchObject({ code: "FLY_RECORDING_BUDGET", status: 422 });
  });

  it("is refused after its time, while other requests are answered, and nothing of it stays", async () => {
    const open: string[] = [];
    const upload = send(bombOf(1000)).then(async (answer) => {
      open.push("upload");
      return answer.json();
    });
    await eventually(() => keptFiles().length === 1);
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
    open.push("health");
    expect(await upload).toMatchObject({ code: "FLY_RECORDING_BUDGET" });
    expect(open).toEqual(["health", "upload"]);
    expect(keptFiles()).toEqual([]);
  });

  it("ends when its client goes, and its place is free", async () => {
    const client = new AbortController();
    const upload = send(bombOf(1000), client.signal).catch(() => "gone");
    await eventually(() => keptFiles().length === 1);
    client.abort();
    expect(await upload).toBe("gone");
    await eventually(() => keptFiles().length === 0);
    const answer = await send(await recordingOf([]));
    expect(answer.status).toBe(201);
  });
});
