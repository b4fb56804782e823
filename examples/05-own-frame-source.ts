/**
 * Cameras of one's own in place of the graph's nodes `camera-left` and `camera-right`: images go out, the detectors find circles.
 *
 * This source draws a bright disc that crosses the image. A camera's driver would hand over what its library delivers; `grayFromBayer` and
 * `grayFromColor` make gray images of it.
 *
 * Run:    node dist/examples/05-own-frame-source.js
 * Prints: where the disc was drawn, and where the left detector found it.
 */
import {
  type Circles,
  type GrayImage,
  loadRobot,
  lockStepRun,
  type Node,
  type NodeFactory,
  takeEach,
} from "flycatcher";

const PERIOD_NS = 40e6;
const disc = { v: 300, radius: 14 };

/** Centre of the disc in a frame [px]. */
function centreIn(frame: number): number {
  return 200 + 12.5 * frame;
}

/** Gray 200 inside and 60 outside; pixels at the edge are in between, as a lens makes them. */
function draw(u: number, width: number, height: number): GrayImage {
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = Math.min(1, Math.max(0, disc.radius - Math.hypot(x - u, y - disc.v) + 0.5));
      pixels[y * width + x] = 60 + 140 * inside;
    }
  }
  return { width, height, pixels };
}

/** Puts a frame every 40 ms. `readyNs` is when it was exposed: the graph adds the camera's latency in lock-step. */
const createCamera: NodeFactory<"camera-left" | "camera-right"> = ({ name, ports, robot }): Node => {
  const side = name === "camera-left" ? "left" : "right";
  const { width, height } = robot.cameras[robot.stereo![side]]!;
  let frame = 0;
  return {
    step(nowNs: number): number {
      if (nowNs < frame * PERIOD_NS) return frame * PERIOD_NS;
      const image = draw(centreIn(frame), width, height);
      const times = { frame, exposureNs: nowNs, arrivalNs: nowNs };
      ports.out.images.put({ camera: side, ...times, ...image, scale: 1, windows: [] }, nowNs);
      frame++;
      return frame * PERIOD_NS;
    },
  };
};

const run = await lockStepRun({
  robot: loadRobot("agile-justin"),
  world: "kinematic",
  perception: "images",
  seed: 1,
  nodes: { "camera-left": createCamera, "camera-right": createCamera },
});
const circles = run.tap<Circles>("detector-left.circles");
for (let tick = 0; tick < 500; tick++) await run.host.advance();
takeEach(circles, Number.POSITIVE_INFINITY, ({ frame, u, v, r }) => {
  const found = u.length === 0 ? "nothing" : `${u[0]!.toFixed(1)}, ${v[0]!.toFixed(1)}, radius ${r[0]!.toFixed(1)}`;
  console.log(`frame ${frame}: drawn at ${centreIn(frame).toFixed(1)}, ${disc.v.toFixed(1)}; found ${found} px`);
});
await run.close();
