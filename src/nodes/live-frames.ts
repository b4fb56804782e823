import { pixelsOf } from "../camera/frames/frame-pixels.js";
import { GdpFrameStream } from "../camera/frames/gdp-stream.js";
import { FlycatcherError } from "../runtime/errors.js";
import { FrameClock } from "./frame-clock.js";
import { FrameProgram } from "./frame-program.js";

/** A frame of one of several cameras. */
export interface LiveFrame {
  readonly camera: number;
  readonly width: number;
  readonly height: number;
  /** Gray. */
  readonly pixels: Uint8Array;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface StampedFrame extends Size {
  readonly sentNs: number;
  readonly pixels: Uint8Array;
}

/** Frames kept of each camera, among which is the partner of another one's newest. */
const KEPT = 4;
/** Exposures this near count as one moment [ns]: the board is held by a hand. */
const SAME_NS = 5e6;
/** How long the first frames may take [ms]. */
const START_MS = 15_000;

/** What programs send now, one camera each, to be looked at now and then. */
export class LiveFrames {
  readonly #programs: FrameProgram[] = [];
  readonly #frames: StampedFrame[][];
  #problem: { readonly camera: number; readonly words: string } | null = null;

  /** Settles when every camera has sent a frame. */
  static async open(commands: readonly string[]): Promise<LiveFrames> {
    const live = new LiveFrames(commands);
    const end = performance.now() + START_MS;
    while (live.#frames.some((frames) => frames.length === 0) && live.#problem === null && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const silent = live.#problem?.camera ?? live.#frames.findIndex((frames) => frames.length === 0);
    if (silent < 0) return live;
    const complaint = live.#programs[silent]!.complaint;
    live.close();
    throw new FlycatcherError("FLY_CAMERA", `camera ${silent + 1} ${live.#problem?.words ?? "sends no frames"}`, {
      expected: "a program that writes frames to its standard output",
      found: complaint || commands[silent]!,
    });
  }

  private constructor(commands: readonly string[]) {
    this.#frames = commands.map(() => []);
    for (const [camera, command] of commands.entries()) this.#start(camera, command);
  }

  get cameras(): readonly Size[] {
    return this.#frames.map((frames) => ({ width: frames[0]!.width, height: frames[0]!.height }));
  }

  #start(camera: number, command: string): void {
    const stream = new GdpFrameStream();
    const clock = new FrameClock();
    const program: FrameProgram = new FrameProgram(command, {
      bytes: (bytes) => {
        const arrivalNs = Number(process.hrtime.bigint());
        stream.push(bytes);
        try {
          for (let frame = stream.next(); frame !== null; frame = stream.next()) {
            const { width, height } = stream.shape!;
            const sentNs = clock.place(frame.stampNs, program.baseNs, arrivalNs);
            const { pixels } = pixelsOf(stream.shape!, frame.bytes, "gray");
            this.#keep(camera, { width, height, sentNs, pixels });
          }
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          this.#problem = { camera, words: `sends a torn stream: ${error.message}` };
          program.end();
        }
      },
      closed: (code) => {
        this.#problem ??= { camera, words: `has ended with code ${code}` };
      },
    });
    this.#programs.push(program);
  }

  #keep(camera: number, frame: StampedFrame): void {
    const frames = this.#frames[camera]!;
    frames.push(frame);
    if (frames.length > KEPT) frames.shift();
  }

  /** The newest moment that most cameras have, and each camera's frame of it. */
  newest(): LiveFrame[] {
    let best: LiveFrame[] = [];
    for (const { sentNs } of this.#frames[0]!.toReversed()) {
      const found = this.#frames.flatMap((frames, camera) => {
        const frame = frames.find((other) => Math.abs(other.sentNs - sentNs) < SAME_NS);
        return frame === undefined ? [] : [{ camera, ...frame }];
      });
      if (found.length > best.length) best = found;
    }
    return best;
  }

  close(): void {
    for (const program of this.#programs) program.end();
  }
}
