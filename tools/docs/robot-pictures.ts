import { transformed } from "../../src/collision/making/hull-cover.js";
import * as vec3 from "../../src/math/vec3.js";
import { stateAt } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { hullOfShape } from "../../src/robot/loading/shape-hulls.js";
import type { Robot } from "../../src/robot/robot.js";

/** Pictures for docs/first-catch.md, drawn from the shipped robot itself: its catch frame, its frames, its collision bodies. */

const ROBOT = "ur10e-net";
const WIDTH = 640;
const HEIGHT = 480;
/** Corners of the outline of a ball. */
const RIM = 16;

type Flat = readonly [x: number, y: number];

/** A view from the side, slightly from the front and from above: orthographic. */
interface View {
  readonly azimuth: number;
  readonly elevation: number;
  /** What is in the middle of the picture, in the world [m]. */
  readonly centre: readonly [number, number, number];
  /** Pixels a metre. */
  readonly scale: number;
}

class Sketch {
  readonly #view: View;
  readonly #parts: string[] = [];

  constructor(view: View) {
    this.#view = view;
  }

  at(point: ArrayLike<number>): Flat {
    const { azimuth, elevation, centre, scale } = this.#view;
    const [x, y, z] = [0, 1, 2].map((k) => point[k]! - centre[k]!) as [number, number, number];
    const right = x * Math.cos(azimuth) + y * Math.sin(azimuth);
    const away = -x * Math.sin(azimuth) + y * Math.cos(azimuth);
    const up = z * Math.cos(elevation) + away * Math.sin(elevation);
    return [WIDTH / 2 + scale * right, HEIGHT / 2 - scale * up];
  }

  /** The outline of a hull of points in the world, grown by a radius. */
  hull(points: Float64Array, radius: number, kind: string): void {
    const r = radius * this.#view.scale;
    const flat: Flat[] = [];
    for (let i = 0; i < points.length; i += 3) {
      const [x, y] = this.at(points.subarray(i, i + 3));
      if (r === 0) flat.push([x, y]);
      else
        for (let k = 0; k < RIM; k++)
          flat.push([x + r * Math.cos((2 * Math.PI * k) / RIM), y + r * Math.sin((2 * Math.PI * k) / RIM)]);
    }
    this.#parts.push(`<polygon class="${kind}" points="${outline(flat).map(text).join(" ")}"/>`);
  }

  arrow(from: vec3.Vec3, to: vec3.Vec3, kind: string, label = ""): void {
    const [a, b] = [this.at(from), this.at(to)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 3) return;
    const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    const wing = (side: number): Flat => [b[0] - 9 * dx - 4 * side * dy, b[1] - 9 * dy + 4 * side * dx];
    this.#parts.push(
      `<path class="${kind} arrow" d="M${text(a)}L${text(b)}M${text(wing(1))}L${text(b)}L${text(wing(-1))}"/>`,
    );
    if (label !== "") this.label([b[0] + 10 * dx - 4, b[1] + 12 * dy + 4], label, kind);
  }

  /** The three axes of a link: x red, y green, z blue. */
  axes(worldFromLink: ArrayLike<number>, length: number, name: string): void {
    const origin = vec3.create(worldFromLink[9]!, worldFromLink[10]!, worldFromLink[11]!);
    for (const [k, kind] of ["x", "y", "z"].entries()) {
      const axis = vec3.create(worldFromLink[k]!, worldFromLink[3 + k]!, worldFromLink[6 + k]!);
      this.arrow(origin, vec3.addScaled(origin, axis, length, vec3.create()), kind, length > 0.15 ? kind : "");
    }
    const [x, y] = this.at(origin);
    this.label([x + 8, y + 18], name, "ink");
  }

  dashed(points: readonly vec3.Vec3[]): void {
    this.#parts.push(`<polyline class="flight" points="${points.map((point) => text(this.at(point))).join(" ")}"/>`);
  }

  ball(place: vec3.Vec3, radius: number): void {
    const [x, y] = this.at(place);
    this.#parts.push(
      `<circle class="ball" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(radius * this.#view.scale).toFixed(1)}"/>`,
    );
  }

  label([x, y]: Flat, words: string, kind = "ink"): void {
    this.#parts.push(`<text class="f-${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${words}</text>`);
  }

  svg(title: string): string {
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-size="14">`,
      `<title>${title}</title>`,
      `<style>${styles}</style>`,
      `<rect class="page" width="${WIDTH}" height="${HEIGHT}"/>`,
      ...this.#parts,
      "</svg>\n",
    ].join("\n");
  }
}

const styles =
  "text{font-family:system-ui,sans-serif;stroke:#fdfdfc;stroke-width:4;paint-order:stroke}.page{fill:#fdfdfc}.f-ink,.f-flight{fill:#24292f}" +
  ".shape{fill:#dfe4ea;stroke:#9aa5b4;stroke-width:.6;fill-opacity:.8}.body{fill:#0072b2;fill-opacity:.13;stroke:#0072b2;stroke-width:1}" +
  ".arrow{fill:none;stroke-width:2.4}.x{stroke:#d02030}.f-x{fill:#d02030}.y{stroke:#009e73}.f-y{fill:#009e73}.z{stroke:#1f5fd0}.f-z{fill:#1f5fd0}" +
  ".flight{fill:none;stroke:#24292f;stroke-width:1.4;stroke-dasharray:6 5}.way{stroke:#24292f}.f-way{fill:#24292f}.ball{fill:#f3a13a;stroke:#b56a12}" +
  "@media(prefers-color-scheme:dark){text{stroke:#12161d}.page{fill:#12161d}.f-ink,.f-way{fill:#e6eaf1}.shape{fill:#39424f;stroke:#66738a}.body{fill:#56a8e0;stroke:#56a8e0;fill-opacity:.16}.flight,.way{stroke:#e6eaf1}.z{stroke:#6f9bff}.f-z{fill:#6f9bff}}";

function text([x, y]: Flat): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}

/** The convex outline of points (Andrew's monotone chain). */
function outline(points: readonly Flat[]): Flat[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o: Flat, a: Flat, b: Flat) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (row: readonly Flat[]): Flat[] => {
    const chain: Flat[] = [];
    for (const point of row) {
      while (chain.length > 1 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

const whole: View = { azimuth: -0.35, elevation: -0.2, centre: [0.12, 0, 0.72], scale: 250 };

function ready(): { robot: Robot; state: ReturnType<typeof stateAt> } {
  const robot = loadRobot(ROBOT);
  return { robot, state: stateAt(robot.model, robot.postures.get("ready")) };
}

/** All shapes, those farther away first. */
function drawShapes(sketch: Sketch, { robot, state }: ReturnType<typeof ready>): void {
  for (const [link, { collisions }] of robot.shapes.entries()) {
    for (const hull of collisions.map(hullOfShape)) {
      if (hull !== null) sketch.hull(transformed(hull.points, state.worldFromLink[link]!), hull.radius, "shape");
    }
  }
}

/** The catch frame against the flying ball. */
export function catchFramePicture(): string {
  const scene = ready();
  const { robot, state } = scene;
  const at = state.worldFromLink[robot.hands[0]!.catchLink]!;
  const origin = vec3.create(at[9], at[10], at[11]);
  const z = vec3.create(at[2], at[5], at[8]);
  const sketch = new Sketch({
    azimuth: -0.2,
    elevation: -0.12,
    centre: [origin[0] + 0.16, origin[1], origin[2] + 0.04],
    scale: 640,
  });
  drawShapes(sketch, scene);
  const ball = vec3.addScaled(origin, z, 0.44, vec3.create());
  const path = Array.from({ length: 9 }, (_, k) => {
    const s = 0.06 * k;
    return vec3.addScaled(
      vec3.addScaled(origin, z, s, vec3.create()),
      vec3.create(0, 0, 1),
      -0.35 * s * s,
      vec3.create(),
    );
  });
  sketch.dashed(path);
  sketch.ball(path.at(-2)!, 0.0425);
  sketch.arrow(path.at(-2)!, path.at(-5)!, "way", "");
  const [bx, by] = sketch.at(ball);
  sketch.label([bx - 60, by + 96], "the ball comes in against z");
  sketch.axes(at, 0.17, "catch frame (TCP)");
  return sketch.svg("The catch frame in the middle of a net's mouth, its z axis against the flying ball");
}

/** World, base, flange and catch frame. */
export function framesPicture(): string {
  const scene = ready();
  const { robot, state } = scene;
  const sketch = new Sketch(whole);
  drawShapes(sketch, scene);
  const named: readonly (readonly [string, string])[] = [
    ["world", "world"],
    ["table", "base, chest"],
    ["armFlange", "flange"],
    ["catch", "catch"],
  ];
  for (const [link, words] of named) sketch.axes(state.worldFromLink[robot.model.linkNames.indexOf(link)]!, 0.2, words);
  return sketch.svg("The frames of a UR10e with a net: world, base, flange and catch frame");
}

/** Collision bodies over the shapes that they contain. */
export function hullsPicture(): string {
  const scene = ready();
  const sketch = new Sketch(whole);
  drawShapes(sketch, scene);
  for (const { link, points, radius } of scene.robot.hulls) {
    sketch.hull(transformed(points, scene.state.worldFromLink[link]!), radius, "body");
  }
  sketch.label([20, 40], "grey: shapes of the URDF");
  sketch.label([20, 62], "blue: collision bodies that contain them");
  return sketch.svg("The collision bodies of a UR10e with a net, over the shapes that they contain");
}
