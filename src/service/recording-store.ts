import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openRecording } from "../recording/format/open-recording.js";
import { findRecordings, throwsFolder } from "../report/jobs/replay-files.js";
import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";

/** A recording that can be replayed. */
export interface StoredRecording {
  /** Made by the service; nothing of it comes from the outside. */
  readonly id: string;
  readonly origin: "uploaded" | "shipped";
  readonly path: string;
  readonly facts: RecordingFacts;
}

/** What a recording says of itself. */
interface RecordingFacts {
  readonly title: string;
  readonly robot: string | null;
  readonly perception: string;
  readonly labels: readonly string[];
  /** [s] */
  readonly duration: number;
  readonly problems: readonly string[];
}

/**
 * Recordings of the service: those that were uploaded, in a folder of its own that no other user can read and that is deleted when
 * the service ends, and those shipped with Flycatcher. A file's name is an identity made here: what a client calls it never
 * becomes part of a path.
 */
export class RecordingStore {
  readonly #limits: Pick<Config["service"], "uploadLimitBytes" | "maxUploads">;
  readonly #uploaded = new Map<string, StoredRecording>();
  #shipped: Promise<ReadonlyMap<string, StoredRecording>> | null = null;
  #folder: Promise<string> | null = null;
  /** Uploads under way. */
  #arriving = 0;

  constructor(limits: Pick<Config["service"], "uploadLimitBytes" | "maxUploads">) {
    this.#limits = limits;
  }

  /** Takes a recording in, as it comes; refuses what is too large or no recording, and then keeps nothing of it. */
  async upload(bytes: Readable): Promise<StoredRecording> {
    const { maxUploads, uploadLimitBytes } = this.#limits;
    if (this.#uploaded.size + this.#arriving >= maxUploads) {
      throw new FlycatcherError("FLY_UPLOADS_FULL", "no more recordings can be uploaded", {
        expected: `at most ${maxUploads}`,
      });
    }
    this.#arriving++;
    this.#folder ??= mkdtemp(join(tmpdir(), "flycatcher-recordings-"));
    const id = randomUUID();
    const path = join(await this.#folder, `${id}.mcap`);
    try {
      await pipeline(limited(bytes, uploadLimitBytes), createWriteStream(path, { flags: "wx", mode: 0o600 }));
      const stored: StoredRecording = { id, origin: "uploaded", path, facts: await factsOf(path) };
      this.#uploaded.set(id, stored);
      return stored;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      this.#arriving--;
    }
  }

  async list(): Promise<StoredRecording[]> {
    return [...this.#uploaded.values(), ...(await this.#findShipped()).values()];
  }

  async get(id: string): Promise<StoredRecording> {
    const found = this.#uploaded.get(id) ?? (await this.#findShipped()).get(id);
    if (found !== undefined) return found;
    throw new FlycatcherError("FLY_UPLOAD_UNKNOWN", "there is no such recording", { found: id });
  }

  /** Forgets an uploaded recording. */
  async delete(id: string): Promise<void> {
    const found = this.#uploaded.get(id);
    if (found === undefined)
      throw new FlycatcherError("FLY_UPLOAD_UNKNOWN", "no such uploaded recording", { found: id });
    this.#uploaded.delete(id);
    await rm(found.path, { force: true });
  }

  async close(): Promise<void> {
    if (this.#folder !== null) await rm(await this.#folder, { recursive: true, force: true });
  }

  #findShipped(): Promise<ReadonlyMap<string, StoredRecording>> {
    this.#shipped ??= shippedRecordings();
    return this.#shipped;
  }
}

/** Passes bytes on until there are more than `limit`. A refused request stays open: its sender is still to be answered. */
async function* limited(bytes: Readable, limit: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of bytes.iterator({ destroyOnReturn: false })) {
    seen += chunk.length;
    if (seen > limit) {
      const details = { expected: `at most ${limit} bytes` };
      throw new FlycatcherError("FLY_UPLOAD_TOO_LARGE", "the recording is too large", details);
    }
    yield chunk;
  }
}

async function factsOf(path: string): Promise<RecordingFacts> {
  const recording = await openRecording(path);
  try {
    const { title, robot, perception, labels } = recording.header;
    const { problems, endNs } = recording;
    return { title, robot: robot?.name ?? null, perception, labels, duration: endNs / 1e9, problems: [...problems] };
  } finally {
    await recording.close();
  }
}

/** The data set, by identities made of where each file is in it. */
async function shippedRecordings(): Promise<ReadonlyMap<string, StoredRecording>> {
  const shipped = new Map<string, StoredRecording>();
  for (const path of shippedPaths()) {
    const id = relative(throwsFolder, path)
      .replace(/\.mcap$/, "")
      .replaceAll(/[\\/]/g, "-");
    shipped.set(id, { id, origin: "shipped", path, facts: await factsOf(path) });
  }
  return shipped;
}

/** None where the data set was not installed. */
function shippedPaths(): string[] {
  try {
    return findRecordings([throwsFolder]).filter((path) => path.endsWith(".mcap"));
  } catch {
    return [];
  }
}
