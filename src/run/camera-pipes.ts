import { existsSync } from "node:fs";
import { join } from "node:path";
import type { WantedColours } from "../camera/frames/frame-pixels.js";
import type { CameraSide } from "../messages/sensing.js";
import { FlycatcherError } from "../runtime/errors.js";
import { packageRoot } from "../runtime/package-root.js";
import type { CameraSettings } from "../simulation/camera-settings.js";
import type { PerceptionKind } from "./graph.js";

/** Frames that other programs send must be those of both cameras, and be looked at. */
export function checkPipes(perception: PerceptionKind, { pipes }: CameraSettings): void {
  if (pipes === undefined || (pipes.left !== "" && pipes.right !== "" && perception === "images")) return;
  throw new FlycatcherError("FLY_CAMERA", "frames of a program cannot be used in this run", {
    path: "cameras",
    expected: "programs of both cameras, and the perception `images`",
    found: perception === "images" ? `one for the ${pipes.left === "" ? "right" : "left"} camera alone` : perception,
  });
}

/** Between the end of a file and its beginning its last image stays [s]: a robot that has caught goes back in the meantime. */
const STILL = 3;

/** What sends a camera's frames. */
interface FrameSource {
  readonly command: string;
  /** null: what the configuration says. */
  readonly framing: "gdp" | null;
}

interface SourceUse {
  readonly wanted: WantedColours;
  /** Zero of the run's clock on the machine's monotonic clock [ns]. */
  readonly zeroNs: number | null;
}

/**
 * The program of a camera: as it is named, or `flycatcher frames` for a video or a folder of images. Files begin again and again, by
 * the run's clock, so that both cameras show the same moment.
 */
export function frameSource(named: string, side: CameraSide, { wanted, zeroNs }: SourceUse): FrameSource {
  if (!existsSync(named)) return { command: named, framing: null };
  const program = join(packageRoot, "dist", "bundle", "cli", "main.js");
  const words = [
    ...[process.execPath, program, "frames", named, "--camera", side, "--repeat", `${STILL}`],
    ...(wanted === "colour" ? ["--colour"] : []),
    ...(zeroNs === null ? [] : ["--zero", `${zeroNs}`]),
  ];
  return { command: `exec ${words.map(quoted).join(" ")}`, framing: "gdp" };
}

/** A word for the shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
