import { createImage, type GrayImage } from "../../src/camera/gray-image.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import { defaultBall } from "../../src/flight/ball.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import { quantiles } from "../../src/math/statistics.js";
import * as vec3 from "../../src/math/vec3.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { ImageEye } from "../../src/simulation/eyes/image-eyes.js";
import { challengesOf } from "../../src/simulation/head-motion/challenges.js";
import { createRigidMotion } from "../../src/simulation/head-motion/elastic-chain.js";
import { Room } from "../../src/simulation/rendering/room.js";
import type { ThrowKind } from "../../src/simulation/world/thrower.js";
import type { BenchContext, Metrics } from "../harness.js";
import { type BallCircle, type BallStatistics, ballStatistics, noiseSigma } from "./ball-statistics.js";

/** A gray image with the balls on it. */
export interface LabelledImage {
  readonly image: GrayImage;
  readonly balls: readonly BallCircle[];
}

/** Smallest and greatest radius of balls that are compared [px]: a rim of fewer pixels has no inside. */
const RADII = [6, 60] as const;
/** Ranges of gray values in which noise is measured. */
const DARK = [30, 90] as const;
const BRIGHT = [150, 220] as const;

/**
 * Statistics of balls on photographs against those on rendered images, standard and clean: contrast, gradient and width of the rim, spread
 * inside, and noise against light. `render_distance` is the mean distance of standard renderings from photographs, as |log₂| of the ratios of
 * medians: 0 is the same, 1 a factor of two. Null for photographs: there are none beside the project, and nothing is measured.
 */
export function measureRenderStatistics(
  { seed, full, progress }: BenchContext,
  photographs: readonly LabelledImage[] | null,
): Metrics {
  if (photographs === null) {
    progress("skipped: there are no photographs to hold renderings against");
    return {};
  }
  const count = full ? 240 : 80;
  progress(`statistics of ${photographs.length} photographs and ${count} rendered images of each kind`);
  const photo = figuresOf(photographs);
  const standard = figuresOf(renderLabelled(seed, "standard", count));
  const clean = figuresOf(renderLabelled(seed, "clean", count));
  const named = (prefix: string, figures: Figures): [string, number][] =>
    Object.entries(figures).map(([name, value]) => [`${prefix}_${name}`, value]);
  return {
    render_distance: distance(photo, standard),
    render_distance_clean: distance(photo, clean),
    ...Object.fromEntries([...named("photo", photo), ...named("standard", standard), ...named("clean", clean)]),
  };
}

/** Milliseconds for a whole image of 800 × 600 with a ball on it, by the camera of a head that turns: standard and clean. */
export function measureRenderTimes({ seed, full, progress }: BenchContext): Metrics {
  progress("times of rendered images");
  const times = (kind: ThrowKind): number => {
    const samples: number[] = [];
    renderLabelled(seed, kind, full ? 400 : 120, (render) => {
      const begun = performance.now();
      render();
      samples.push(performance.now() - begun);
    });
    // The first ones are warm-up.
    return quantiles(samples.slice(samples.length / 4), [0.5])[0]!;
  };
  const [clean, standard] = [times("clean"), times("standard")];
  return { render_clean_ms_p50: clean, render_standard_ms_p50: standard, render_time_ratio: standard / clean };
}

type Figures = Readonly<Record<(typeof figureNames)[number], number>>;

const figureNames = [
  "rim_contrast_p50",
  "rim_gradient_p10",
  "rim_gradient_p50",
  "rim_gradient_p90",
  "edge_width_px_p50",
  "rim_agreement_p50",
  "inside_spread_p50",
  "inside_spread_p90",
  "noise_dark",
  "noise_bright",
] as const;

function figuresOf(labelled: readonly LabelledImage[]): Figures {
  const statistics = labelled.flatMap(({ image, balls }) =>
    balls.filter(({ r }) => r >= RADII[0] && r <= RADII[1]).flatMap((ball) => ballStatistics(image, ball) ?? []),
  );
  const at = (pick: (ball: BallStatistics) => number, share: number): number =>
    statistics.length === 0 ? Number.NaN : quantiles(statistics.map(pick), [share])[0]!;
  const images = labelled.map(({ image }) => image);
  return {
    rim_contrast_p50: at(({ contrast }) => contrast, 0.5),
    rim_gradient_p10: at(({ gradient }) => gradient, 0.1),
    rim_gradient_p50: at(({ gradient }) => gradient, 0.5),
    rim_gradient_p90: at(({ gradient }) => gradient, 0.9),
    edge_width_px_p50: at(({ edgeWidth }) => edgeWidth, 0.5),
    rim_agreement_p50: at(({ agreement }) => agreement, 0.5),
    inside_spread_p50: at(({ spread }) => spread, 0.5),
    inside_spread_p90: at(({ spread }) => spread, 0.9),
    noise_dark: noiseSigma(images, DARK),
    noise_bright: noiseSigma(images, BRIGHT),
  };
}

function distance(photo: Figures, rendered: Figures): number {
  const ratios = figureNames.map((name) => Math.abs(Math.log2(rendered[name] / photo[name])));
  const known = ratios.filter((ratio) => Number.isFinite(ratio));
  return known.reduce((sum, ratio) => sum + ratio, 0) / known.length;
}

/** Rendered images of a robot's left camera with a ball on each, where that camera sees it; `around` does the rendering. */
export function renderLabelled(
  seed: number,
  kind: ThrowKind,
  count: number,
  around: (render: () => void) => void = (render) => render(),
): LabelledImage[] {
  const robot = loadRobot("agile-justin");
  const random = new Random(seed).fork("labelled renderings");
  const ballRadius = defaultBall.diameter / 2;
  const challenges = challengesOf(kind);
  const head = createRigidMotion();
  head.worldFromBody.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.6]);
  const eyes = [0, 1, 2, 3].map(
    (k) => new ImageEye(robot, "left", new Room(`${seed} ${k}`), { seed: `${seed} ${k}`, ballRadius, challenges }),
  );
  return Array.from({ length: count }, (_, id) => {
    const eye = eyes[id % eyes.length]!;
    const position = vec3.create(random.uniformIn(0.9, 4.5), random.uniformIn(-0.4, 0.4), random.uniformIn(1.3, 1.9));
    const velocity = vec3.create(random.uniformIn(-6, -2), random.uniformIn(-1, 1), random.uniformIn(-3, 3));
    head.twist.set([0, 0, 0, 0, random.uniformIn(-0.3, 0.3), random.uniformIn(-0.3, 0.3)]);
    const image = createImage(eye.rig.camera.width, eye.rig.camera.height);
    around(() => eye.see(head, [{ id, position, velocity }], id, image));
    const circle = circleOf(eye, head.worldFromBody, position, ballRadius);
    return { image, balls: circle === null ? [] : [circle] };
  });
}

function circleOf({ rig }: ImageEye, worldFromHead: pose.Pose, ball: vec3.Vec3, radius: number): BallCircle | null {
  const worldFromCamera = pose.compose(worldFromHead, rig.headFromCamera, pose.create());
  const circle = new Float64Array(3);
  const centre = pose.transformPointInverse(worldFromCamera, ball, vec3.create());
  if (!new SphereOutline(rig.camera, radius).measure(centre, circle)) return null;
  return { u: circle[0]!, v: circle[1]!, r: circle[2]! };
}
