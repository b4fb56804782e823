import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { FlycatcherError } from "../../../runtime/errors.js";

type Decoder = ChildProcessByStdio<null, Readable, Readable>;

/** Programs that decode any video to YUV4MPEG2 on their standard output, the first one that is installed. */
const decoders: readonly (readonly [program: string, words: (file: string) => string[]])[] = [
  ["ffmpeg", (file) => ["-v", "error", "-i", file, "-an", "-f", "yuv4mpegpipe", "-pix_fmt", "yuv420p", "-"]],
  [
    "gst-launch-1.0",
    (file) => [
      ...["-q", "filesrc", `location=${file}`, "!", "decodebin", "!", "videoconvert", "!"],
      ...["video/x-raw,format=I420", "!", "y4menc", "!", "fdsink", "fd=1"],
    ],
  ],
];

/** Longest complaint of a decoder that is kept [characters]. */
const LONGEST_COMPLAINT = 500;

/** The YUV4MPEG2 stream of a video file, as a program that is installed decodes it. The program ends with the reading. */
export async function* decodedStream(file: string): AsyncGenerator<Uint8Array> {
  const { decoder, program } = await startDecoder(file);
  let complaint = "";
  decoder.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, LONGEST_COMPLAINT);
  });
  const ended = new Promise<number | null>((resolve) => {
    decoder.once("close", (code) => resolve(code));
  });
  let isWhole = false;
  try {
    for await (const chunk of decoder.stdout) yield chunk as Uint8Array;
    isWhole = true;
  } finally {
    if (!isWhole) decoder.kill();
  }
  const code = await ended;
  if (code === 0) return;
  throw new FlycatcherError("FLY_VIDEO", `${program} cannot decode the video`, {
    path: file,
    expected: "a video file",
    found: complaint.trim().split("\n").at(-1) || `exit code ${code}`,
  });
}

async function startDecoder(file: string): Promise<{ decoder: Decoder; program: string }> {
  for (const [program, words] of decoders) {
    const decoder = spawn(program, words(file), { stdio: ["ignore", "pipe", "pipe"] });
    const isThere = await Promise.race([
      once(decoder, "spawn").then(() => true),
      once(decoder, "error").then(() => false),
    ]).catch(() => false);
    if (isThere) return { decoder, program };
  }
  throw new FlycatcherError("FLY_VIDEO_DECODER", "the video needs a decoder that is not installed", {
    path: file,
    expected: `${decoders.map(([program]) => program).join(" or ")} on the PATH, or a file in Y4M or Motion JPEG (AVI)`,
    found: "neither",
  });
}
