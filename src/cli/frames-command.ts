import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import { type FramePixels, pixelsOf } from "../camera/frames/frame-pixels.js";
import { gdpCaps, gdpFrame } from "../camera/frames/gdp-writer.js";
import type { CameraSide } from "../messages/sensing.js";
import { type FrameFile, openFrameFile } from "../recording/import/frame-file.js";
import { choiceOption } from "./choice-option.js";

interface FramesOptions {
  readonly camera: CameraSide;
  readonly framing: "gdp" | "bare";
  readonly colour?: true;
  readonly rate?: number;
  readonly size: readonly [number, number];
  readonly repeat?: number | true;
  readonly zero?: number;
}

const examples = `
Examples:
  flycatcher frames left.mp4 --repeat > /dev/null
  flycatcher frames throw/ --camera right --framing bare | my-program
  flycatcher frames --rate 60 --size 800x600 > /dev/null      a disc that moves: no file is needed

Two that repeat files of the same length with the same --zero show the same moment.`;

/** `flycatcher frames`: sends the frames of a file to standard output, as a camera would. */
export function registerFramesCommand(program: Command): void {
  program
    .command("frames")
    .argument("[source]", "video, or folder of images; left out: a disc that moves")
    .description(
      "Send the frames of a video or of a folder of images to standard output as a camera would, with time stamps.",
    )
    .addOption(
      choiceOption("--camera <side>", "which camera of a folder, or of a video with both", ["left", "right"]).default(
        "left",
      ),
    )
    .addOption(
      choiceOption("--framing <kind>", "gdp: GStreamer's data protocol; bare: pixels alone", ["gdp", "bare"]).default(
        "gdp",
      ),
    )
    .option("--colour", "send colours where there are any, as RGB; else brightness")
    .option("--rate <hertz>", "images a second, where the file does not say it", positiveNumber)
    .option("--size <pixels>", "without a source: width and height", sizeOf, [800, 600] as const)
    .option(
      "--repeat [seconds]",
      "begin again at the end; the last image stays for so many seconds before, by default none",
      positiveNumber,
    )
    .option("--zero <ns>", "when time stamps are zero, by the machine's monotonic clock; default: now", positiveNumber)
    .addHelpText("after", examples)
    .action(send);
}

const DEFAULT_RATE = 25;
const monotonicNs = () => Number(process.hrtime.bigint());

async function send(source: string | undefined, options: FramesOptions, command: Command): Promise<void> {
  if (process.stdout.isTTY) command.error("error: frames go to a pipe or a file, not to a terminal");
  const { camera, colour, rate, size, repeat, zero = monotonicNs(), framing } = options;
  const wanted = colour ? "colour" : "gray";
  const isPattern = source === undefined;
  const file = isPattern
    ? movingDisc(size, rate ?? DEFAULT_RATE)
    : await openFrameFile(source, { camera, wanted, rateHz: rate });
  const { times } = file;
  const period = times.length > 1 ? times.at(-1)! / (times.length - 1) : 1 / DEFAULT_RATE;
  const stays = typeof repeat === "number" ? Math.round(repeat / period) : 0;
  const cycle = times.at(-1)! + (1 + stays) * period;
  process.stderr.write(`base_time ${clockText(zero)}\n`);
  const sender = new FrameSender(file, { framing, zero, rateHz: 1 / period, stays });
  const isEndless = repeat !== undefined || isPattern;
  const now = (monotonicNs() - zero) / 1e9;
  // Files that repeat are where the clock says; a file that is sent once begins now.
  for (let begin = isEndless ? cycle * Math.floor(now / cycle) : now; ; begin += cycle) {
    await sender.send(begin);
    if (!isEndless) return;
  }
}

interface SenderOptions {
  readonly framing: "gdp" | "bare";
  /** When stamps are zero [ns]. */
  readonly zero: number;
  readonly rateHz: number;
  /** How often the last image is sent once more. */
  readonly stays: number;
}

/** Sends the frames when they are due; those whose time has passed are left out, as by a camera whose buffer is full. */
class FrameSender {
  readonly #file: FrameFile;
  readonly #options: SenderOptions;
  #isBegun = false;

  constructor(file: FrameFile, options: SenderOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** All of them, the first at `begin` [s] after zero. */
  async send(begin: number): Promise<void> {
    const { times, frames } = this.#file;
    const { rateHz, stays } = this.#options;
    let last: FramePixels | null = null;
    let k = 0;
    for await (const frame of frames()) {
      await this.#sendAt(begin + times[k++]!, frame);
      last = frame;
    }
    for (let n = 1; n <= stays && last !== null; n++) await this.#sendAt(begin + times.at(-1)! + n / rateHz, last);
  }

  /** At `stamp` [s] after zero. */
  async #sendAt(stamp: number, frame: FramePixels): Promise<void> {
    const { zero, rateHz } = this.#options;
    const waitMs = (1e9 * stamp + zero - monotonicNs()) / 1e6;
    if (waitMs < -1e3 / rateHz) return;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    await this.#write(frame, 1e9 * stamp);
  }

  async #write(frame: FramePixels, stampNs: number): Promise<void> {
    const { width, height } = this.#file;
    const { framing, rateHz } = this.#options;
    if (framing === "bare") return written(frame.pixels);
    if (!this.#isBegun) await written(gdpCaps(frame.encoding, width, height, rateHz));
    this.#isBegun = true;
    await written(gdpFrame(frame, width, stampNs));
  }
}

function written(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(bytes, () => resolve());
  });
}

/** Images of the test pattern: a light disc that goes round once in a second. */
function movingDisc([width, height]: readonly [number, number], rateHz: number): FrameFile {
  const count = Math.max(2, Math.round(rateHz));
  const images = Array.from({ length: count }, (_, k) => discAt(width, height, (2 * Math.PI * k) / count));
  const frames = async function* (): AsyncGenerator<FramePixels> {
    yield* images;
  };
  return { width, height, times: images.map((_, k) => k / rateHz), frames };
}

function discAt(width: number, height: number, angle: number): FramePixels {
  const [u, v] = [width * (0.5 + 0.3 * Math.cos(angle)), height * (0.5 + 0.3 * Math.sin(angle))];
  const radius = Math.min(width, height) / 20;
  const pixels = new Uint8Array(width * height).fill(90);
  for (let y = Math.floor(v - radius - 1); y <= v + radius + 1; y++) {
    for (let x = Math.floor(u - radius - 1); x <= u + radius + 1; x++) {
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      pixels[y * width + x] = 90 + 110 * Math.min(1, Math.max(0, radius - Math.hypot(x - u, y - v)));
    }
  }
  return pixelsOf({ format: "gray8", width, height }, pixels, "gray");
}

/** Hours, minutes and seconds, as GStreamer's log has them. */
function clockText(ns: number): string {
  const seconds = Math.floor(ns / 1e9);
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const rest = String(Math.round(ns - 1e9 * seconds)).padStart(9, "0");
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${rest}`;
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError("A positive number is expected.");
}

function sizeOf(text: string): readonly [number, number] {
  const [width, height] = text.split("x").map(Number);
  const isSide = (side: number | undefined) => Number.isInteger(side) && side! >= 2 && side! <= 8192;
  if (isSide(width) && isSide(height)) return [width!, height!];
  throw new InvalidArgumentError("Width and height are expected, as in 800x600.");
}
