import Type, { type Static, type TSchema } from "typebox";
import { Value } from "typebox/value";
import type { CalibrationRig } from "../../calibration/parameters/calibration-rig.js";
import type {
  CalibrationRecording,
  HoldRecording,
  SampleStream,
} from "../../calibration/recording/calibration-recording.js";
import { parseOverlay } from "../../robot/loading/load-robot.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { type ByteSink, FileSink } from "../mcap/byte-sink.js";
import { FileSource, MemorySource } from "../mcap/byte-source.js";
import { McapFile } from "../mcap/mcap-file.js";
import { McapWriter, type TopicDescription } from "../mcap/mcap-writer.js";
import { loadZstd } from "../mcap/zstd.js";
import { decodeBlocks, encodeBlock, type SampleBlock, SampleBlockSchema, type StreamName } from "./sample-blocks.js";

/**
 * The recording of a calibration as an MCAP file: `/calibration/about` says what it is, `/calibration/samples` has what the
 * sensors said, block by block; of a simulated robot `/calibration/truth` has how it really is, for who wants to compare.
 */

const AboutSchema = Type.Object({
  version: Type.Literal(1),
  robot: Type.String({ maxLength: 100 }),
  title: Type.String({ maxLength: 1000 }),
  posture: Type.Array(Type.Number(), { maxItems: 1000, description: "Position of every dof [rad or m]." }),
  holds: Type.Array(Type.Object({ arm: Type.String({ maxLength: 100 }) }), { maxItems: 1000 }),
});
type About = Static<typeof AboutSchema>;

const TruthSchema = Type.Object({ version: Type.Literal(1), overlay: Type.Unknown() });

/** The topics of a calibration's recording, with the schemas of their messages. */
export const calibrationTopics = {
  about: topicOf("/calibration/about", "CalibrationAbout", AboutSchema),
  samples: topicOf("/calibration/samples", "CalibrationSamples", SampleBlockSchema),
  truth: topicOf("/calibration/truth", "CalibrationTruth", TruthSchema),
};

function topicOf<S extends TSchema>(topic: string, name: string, schema: S): TopicDescription & { schema: S } {
  return { topic, name: `flycatcher.${name}`, schema, metadata: new Map([["version", "1"]]) };
}

/** A calibration's recording with what is known about it. */
export interface CalibrationFile {
  readonly title: string;
  readonly recording: CalibrationRecording;
  /** How the robot really is; null where nobody knows. */
  readonly truth: Overlay | null;
}

export interface CalibrationFileOptions {
  readonly rig: CalibrationRig;
  /** Of the joints' samples every so many-th is kept; all by default. */
  readonly jointStride?: number;
}

/** Samples in one message. */
const BLOCK = 500;
/** Hard, for these files are written once and kept. */
const COMPRESSION = 19;

/** What is kept of each sensor: a tenth of its noise, or less [rad, N·m; rad/s, m/s²; px]. */
const JOINT_UNIT = 1e-6;
const TORQUE_UNIT = 1e-3;
const GYROSCOPE_UNIT = 1e-5;
const ACCELEROMETER_UNIT = 1e-4;
const PIXEL_UNIT = 1e-3;

/** Writes the recording of a calibration to a new file, or into a sink. */
export async function writeCalibrationFile(
  to: string | ByteSink,
  { title, recording, truth }: CalibrationFile,
  { rig, jointStride = 1 }: CalibrationFileOptions,
): Promise<void> {
  await loadZstd();
  const sink = typeof to === "string" ? new FileSink(to) : to;
  const writer = new McapWriter(sink, { compression: COMPRESSION, chunkBytes: 1 << 24, chunkSpanNs: 1e15 });
  const { robot, posture, holds } = recording;
  const about: About = { version: 1, robot, title, posture: [...posture], holds: holds.map(({ arm }) => ({ arm })) };
  writer.write(calibrationTopics.about, 0, bytesOf(about));
  if (truth !== null) writer.write(calibrationTopics.truth, 0, bytesOf({ version: 1, overlay: truth }));
  for (const [hold, { joints, imu, markers }] of holds.entries()) {
    const positions = (joints.width + rig.neck.dofs.length) / 2;
    const jointUnits = Array.from({ length: joints.width }, (_, k) => (k < positions ? JOINT_UNIT : TORQUE_UNIT));
    const imuUnits = Array.from({ length: 6 }, (_, k) => (k < 3 ? GYROSCOPE_UNIT : ACCELEROMETER_UNIT));
    writeStream(writer, thinned(joints, jointStride), { hold, stream: "joints", units: jointUnits });
    writeStream(writer, imu, { hold, stream: "imu", units: imuUnits });
    for (const [side, stream] of (["left", "right"] as const).entries()) {
      writeStream(writer, markers[side]!, { hold, stream, units: [PIXEL_UNIT, PIXEL_UNIT] });
    }
  }
  writer.close();
}

function thinned(stream: SampleStream, stride: number): SampleStream {
  if (stride === 1) return stream;
  const { width } = stream;
  // By the sensor's own count, so that what is left is as even as before.
  const kept = Array.from(stream.stamps.keys()).filter((k) => stream.sequence[k]! % stride === 0);
  return {
    width,
    sequence: Float64Array.from(kept, (k) => stream.sequence[k]! / stride),
    stamps: Float64Array.from(kept, (k) => stream.stamps[k]!),
    values: Float64Array.from(kept.flatMap((k) => [...stream.values.subarray(k * width, (k + 1) * width)])),
  };
}

function writeStream(
  writer: McapWriter,
  stream: SampleStream,
  place: { readonly hold: number; readonly stream: StreamName; readonly units: readonly number[] },
): void {
  const count = stream.stamps.length;
  for (let from = 0; from < count; from += BLOCK) {
    const block = encodeBlock(stream, place, from, Math.min(count, from + BLOCK));
    const timeNs = Math.max(0, Math.round(1e9 * stream.stamps[from]!));
    writer.write(calibrationTopics.samples, timeNs, bytesOf(block));
  }
}

function bytesOf(message: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(message));
}

/** Reads the recording of a calibration; refuses files that are damaged, or of something else. */
export async function readCalibrationFile(from: string | Uint8Array): Promise<CalibrationFile> {
  const source = typeof from === "string" ? await FileSource.open(from) : new MemorySource(from);
  const file = await McapFile.open(source);
  try {
    return await assemble(file);
  } finally {
    await file.close();
  }
}

async function assemble(file: McapFile): Promise<CalibrationFile> {
  let about: About | null = null;
  let truth: Overlay | null = null;
  const blocks = new Map<string, SampleBlock[]>();
  for await (const { channelId, data } of file.messages()) {
    const topic = file.channels.get(channelId)?.topic;
    if (topic === calibrationTopics.about.topic) about = parse(calibrationTopics.about, data);
    if (topic === calibrationTopics.truth.topic)
      truth = parseOverlay(parse(calibrationTopics.truth, data).overlay, topic);
    if (topic !== calibrationTopics.samples.topic) continue;
    const block = parse(calibrationTopics.samples, data);
    getOrCreate(blocks, `${block.hold} ${block.stream}`, () => []).push(block);
  }
  if (file.problems.length > 0) throw unusable("a whole file", file.problems.map(({ text }) => text).join("; "));
  if (about === null) throw unusable(`the topic ${calibrationTopics.about.topic}`, "a recording of something else");
  const { robot, title, posture } = about;
  const holds = about.holds.map(({ arm }, hold) => holdOf(arm, hold, blocks));
  return { title, truth, recording: { robot, posture: Float64Array.from(posture), holds } };
}

function holdOf(arm: string, hold: number, blocks: ReadonlyMap<string, readonly SampleBlock[]>): HoldRecording {
  const streamOf = (stream: StreamName, width: number) => decodeBlocks(blocks.get(`${hold} ${stream}`) ?? [], width);
  const markers = [streamOf("left", 2), streamOf("right", 2)] as const;
  return { arm, joints: streamOf("joints", 0), imu: streamOf("imu", 6), markers };
}

function parse<S extends TSchema>({ topic, schema }: { topic: string; schema: S }, data: Uint8Array): Static<S> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(data));
  } catch (error) {
    throw unusable(`JSON in ${topic}`, (error as Error).message);
  }
  if (Value.Check(schema, value) && hasItsShape(value)) return value;
  const [first] = Value.Errors(schema, value);
  throw unusable(`messages of ${topic} as their schema says`, first?.message ?? "numbers that do not fit together");
}

/** What no schema says: a block's lists fit together. */
function hasItsShape(value: unknown): boolean {
  const { width, units, sequence, stamps, values } = value as Partial<SampleBlock>;
  if (width === undefined || units === undefined || values === undefined) return true;
  const count = sequence?.length ?? 0;
  return units.length === width && stamps?.length === count && values.length === count * width;
}

function unusable(expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_CALIBRATION_DATA_INVALID", "the recording cannot be used", { expected, found });
}
