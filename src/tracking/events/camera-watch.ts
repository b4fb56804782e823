import { Severity } from "../../messages/severity.js";
import type { CircleScan } from "../filter/scan.js";
import { NO_TRACK, type TrackerEventCode, type TrackerEventSink } from "./tracker-event.js";

/** Without an image for this long a camera counts as dead [s]: six frames at 25 Hz. */
const DEAD_AFTER = 0.25;

/** With images but no circle in them for this long, while the other camera has circles, it counts as blind [s]. */
const BLIND_AFTER = 1;

const names = ["left", "right"] as const;

/** What is known of one camera. */
class CameraState {
  /** Time of its newest image, and of the newest with a circle [s]. */
  lastImage = Number.NaN;
  lastCircle = Number.NaN;
  condition: "well" | "dead" | "blind" = "well";
}

/** Tells when a camera stops to give images, or gives black ones only, and when it is back. */
export class CameraWatch {
  readonly #sink: TrackerEventSink;
  readonly #cameras = names.map(() => new CameraState());
  #newest = Number.NEGATIVE_INFINITY;

  constructor(sink: TrackerEventSink) {
    this.#sink = sink;
  }

  update(time: number, { left, right }: CircleScan): void {
    if (!(time >= this.#newest)) return;
    this.#newest = time;
    const leftCount = left === null ? -1 : left.circles.count;
    const rightCount = right === null ? -1 : right.circles.count;
    this.#look(0, time, leftCount, rightCount);
    this.#look(1, time, rightCount, leftCount);
  }

  /** Circle counts are −1 where there is no image. */
  #look(index: number, time: number, circles: number, otherCircles: number): void {
    const camera = this.#cameras[index]!;
    // Times run from the first scan on; a camera is blind only where the other one sees something.
    if (circles >= 0 || Number.isNaN(camera.lastImage)) camera.lastImage = time;
    if (circles > 0 || !(otherCircles > 0) || Number.isNaN(camera.lastCircle)) camera.lastCircle = time;
    const silent = time - camera.lastImage;
    const blank = time - camera.lastCircle;
    if (camera.condition === "well" && silent > DEAD_AFTER) {
      camera.condition = "dead";
      const text = `no image for ${milliseconds(silent)}; balls are followed with the other camera, new ones are not found`;
      this.#tell(time, "camera-dead", index, text);
    } else if (camera.condition === "well" && blank > BLIND_AFTER) {
      camera.condition = "blind";
      this.#tell(time, "camera-blind", index, `its images have had no circle for ${milliseconds(blank)}`);
    } else if (camera.condition === "dead" ? circles >= 0 : camera.condition === "blind" && circles > 0) {
      this.#tell(time, "camera-back", index, `it was ${camera.condition}`);
      camera.condition = "well";
      camera.lastCircle = time;
    }
  }

  #tell(time: number, code: TrackerEventCode, camera: number, text: string): void {
    const severity = code === "camera-back" ? Severity.info : Severity.warning;
    this.#sink({ time, severity, code, track: NO_TRACK, text: `${names[camera]} camera: ${text}` });
  }
}

function milliseconds(seconds: number): string {
  return `${(1000 * seconds).toFixed(0)} ms`;
}
