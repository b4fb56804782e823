import type { PlanAnswer } from "../../../src/planning/request/answer.js";
import { element } from "../dom/element.js";
import { number, words } from "../dom/format.js";
import { createPanel } from "../dom/panel.js";
import { Slider } from "../dom/slider.js";
import type { RobotFacts } from "../live/robot-facts.js";
import { LinePlot } from "../plots/line-plot.js";
import { PlannedMotion } from "./planned-motion.js";

const LINES = 7;
const SAMPLES = 160;

/** The chosen plan's joint velocities, and a slider that moves the robot along it. */
export class MotionPanel {
  readonly element: HTMLElement;
  readonly #plot: LinePlot;
  readonly #legend = element("ul", { class: "legend" });
  readonly #limits: ReadonlyMap<string, number | null>;
  readonly #time: Slider;
  #marks: { x: number; color: string; label: string }[] = [];

  /** `seek` is called with the time to be shown [s]. */
  constructor({ description }: RobotFacts, seek: (time: number) => void) {
    this.#limits = new Map(description.joints.map(({ name, velocity }) => [name, velocity]));
    this.#plot = new LinePlot({
      height: 180,
      xLabel: "time [s]",
      yLabel: "speed / limit",
      yRange: [-1.08, 1.08],
      lines: Array.from({ length: LINES }, (_, k) => ({ label: `joint ${k + 1}`, color: `--series-${k + 1}` })),
      marksAt: () => this.#marks,
    });
    this.#time = new Slider({
      label: "Time",
      min: -0.5,
      max: 1.6,
      step: 0.005,
      value: 0,
      format: (value) => `${number(value, 2)} s`,
      input: (value) => seek(value),
    });
    this.element = createPanel(
      { title: "Motion", hint: "Move the slider to see the robot and the ball at that time." },
      [this.#time.element, this.#plot.element, this.#legend],
    ).element;
  }

  get time(): number {
    return this.#time.value;
  }

  set time(time: number) {
    this.#time.value = time;
  }

  show({ ramps = [], catch: caught }: PlanAnswer): void {
    const motion = new PlannedMotion(ramps);
    const end = Math.max(motion.duration, caught?.time ?? 0);
    const times = Array.from({ length: SAMPLES + 1 }, (_, k) => (end * k) / SAMPLES);
    const joints = motion.joints.slice(0, LINES);
    const limits = joints.map((name) => this.#limits.get(name) ?? Number.POSITIVE_INFINITY);
    const courses: (number | null)[][] = Array.from({ length: LINES }, () => []);
    for (const time of times) {
      const speeds = motion.velocities(time);
      for (let k = 0; k < LINES; k++) courses[k]!.push(k < joints.length ? speeds[k]! / limits[k]! : null);
    }
    this.#marks = caught === undefined ? [] : [{ x: caught.time, color: "--caught", label: "catch" }];
    this.#plot.data = ramps.length === 0 ? [[], ...courses.map(() => [])] : [times, ...courses];
    this.#legend.replaceChildren(
      ...joints.map((name, k) => element("li", { class: `series-${k + 1}`, text: words(name) })),
    );
  }
}
