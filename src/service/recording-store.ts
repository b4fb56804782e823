import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { assertMcapFile } from "../recording/mcap/mcap-file.js";
import type { ReadLimits } from "../recording/mcap/read-budget.js";
import { findRecordings, throwsFolder } from "../report/jobs/replay-files.js";
import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import { type FactsOrder, factsOf, type RecordingFacts } from "./recording-facts.js";
import { makeTemporaryFolder, removeAbandoned } from "./temporary-folder.js";
import { UploadReader } from "./upload-reader.js";

/** A recording that can be replayed. */
export interface StoredRecording {
  /** Made by the service; nothing of it comes from the outside. */
  readonly id: string;
  readonly origin: "uploaded" | "shipped";
  readonly path: string;
  readonly facts: RecordingFacts;
}

type UploadLimits = Pick<Config["service"], "uploadLimitBytes" | "maxUploads" | "uploadReadTimeoutMs">;

const folderKind = "recordings";
/** So many recordings are read at a time; others wait. */
const MOST_THREADS = 2;

/** What reading an upload may take: images hardly compress, other messages to a quarter or less. */
function readLimits({ uploadLimitBytes }: UploadLimits): ReadLimits {
  return { records: 1000, chunks: 100_000, unpackedBytes: 4 * uploadLimitBytes };
}

/**
 * Recordings of the service: those that were uploaded, in a folder of its own that no other user can read and that is deleted when
 * the service ends, and those shipped with Flycatcher. A file's name is an identity made here: what a client calls it never
 * becomes part of a path.
 */
export class RecordingStore {
  readonly #limits: UploadLimits;
  readonly #reader: UploadReader<FactsOrder, RecordingFacts>;
  readonly #uploaded = new Map<string, StoredRecording>();
  #shipped: Promise<ReadonlyMap<string, StoredRecording>> | null = null;
  #folder: string | null = null;
  /** Uploads under way. */
  #arriving = 0;

  /** Deletes what services left behind that were killed. */
  constructor(limits: UploadLimits, logger: Logger) {
    this.#limits = limits;
    this.#reader = new UploadReader({
      ...{ program: "service/recording-facts", threads: MOST_THREADS, budgetCode: "FLY_RECORDING_BUDGET", logger },
      timeoutMs: limits.uploadReadTimeoutMs,
    });
    removeAbandoned(folderKind);
  }

  /**
   * Takes a recording in, as it comes; refuses what is too large, no recording or too much work to read, and then keeps nothing of
   * it. `signal` ends the work.
   */
  async upload(bytes: Readable, signal: AbortSignal): Promise<StoredRecording> {
    const { maxUploads, uploadLimitBytes } = this.#limits;
    if (this.#uploaded.size + this.#arriving >= maxUploads) {
      throw new FlycatcherError("FLY_UPLOADS_FULL", "no more recordings can be uploaded", {
        expected: `at most ${maxUploads}`,
      });
    }
    this.#arriving++;
    const id = randomUUID();
    let path: string | null = null;
    try {
      this.#folder ??= makeTemporaryFolder(folderKind);
      path = join(this.#folder, `${id}.mcap`);
      await pipeline(limited(bytes, uploadLimitBytes), createWriteStream(path, { flags: "wx", mode: 0o600 }));
      await assertMcapFile(path);
      const facts = await this.#reader.read({ path, limits: readLimits(this.#limits) }, signal);
      const stored: StoredRecording = { id, origin: "uploaded", path, facts };
      this.#uploaded.set(id, stored);
      return stored;
    } catch (error) {
      if (path !== null) await rm(path, { force: true });
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
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
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
