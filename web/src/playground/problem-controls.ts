import { element } from "../dom/element.js";
import { number, words } from "../dom/format.js";
import { Listeners } from "../dom/listeners.js";
import { Slider } from "../dom/slider.js";
import type { RobotFacts } from "../live/robot-facts.js";
import type { Launch } from "../scene/launch-arrow.js";
import type { Problem } from "./problem.js";

const axes = ["x", "y", "z"] as const;
const positionRanges = [
  [2, 7],
  [-2, 2],
  [0.3, 2.5],
] as const;
const velocityRanges = [
  [-9, 0],
  [-3, 3],
  [-2, 8],
] as const;

/** Everything of a problem that can be set by sliders. */
export class ProblemControls {
  readonly element = element("div", { class: "controls" });
  readonly changes = new Listeners<Problem>();
  #problem: Problem;
  readonly #robots: readonly string[];
  #ballSliders: Slider[] = [];

  /** `onRobot` is called when another robot is chosen: everything else depends on it. */
  constructor(robots: readonly string[], problem: Problem, onRobot: (robot: string) => void) {
    this.#robots = robots;
    this.#problem = problem;
    this.#onRobot = onRobot;
  }

  readonly #onRobot: (robot: string) => void;

  get problem(): Problem {
    return this.#problem;
  }

  /** Set by dragging in the picture. */
  set ball(ball: Launch) {
    this.#problem = { ...this.#problem, ball };
    const values = [...ball.position, ...ball.velocity];
    for (const [k, slider] of this.#ballSliders.entries()) slider.value = values[k]!;
    this.changes.emit(this.#problem);
  }

  /** Another robot has come: its arms, postures and joints. */
  fill({ description }: RobotFacts): void {
    this.#problem = { ...this.#problem, robot: description.name, group: "any", posture: "ready", joints: {} };
    const arms = description.groups.filter(({ joints }) => joints.length >= 5).map(({ name }) => name);
    this.element.replaceChildren(
      group("Robot", [
        select("Robot", this.#robots, description.name, this.#onRobot),
        select("Arm", ["any", ...arms], "any", (chosen) => this.#set({ group: chosen })),
        this.#bodySwitch(),
      ]),
      group("Ball", this.#createBallSliders()),
      group("Start", [
        select("Posture", Object.keys(description.postures), "ready", (posture) => {
          this.#set({ posture, joints: {} });
          joints.replaceChildren(...this.#jointSliders(description, posture));
        }),
        this.#limitSlider(),
      ]),
    );
    const joints = element("div", { class: "sliders" }, this.#jointSliders(description, "ready"));
    this.element.append(
      element("details", { class: "control-group fold" }, [element("summary", { text: "Joints one by one" }), joints]),
    );
    this.changes.emit(this.#problem);
  }

  #set(change: Partial<Problem>): void {
    this.#problem = { ...this.#problem, ...change };
    this.changes.emit(this.#problem);
  }

  #bodySwitch(): HTMLElement {
    const box = element("input", {
      attributes: { type: "checkbox", role: "switch" },
      on: { change: () => this.#set({ body: box.checked ? "rule" : "none" }) },
    });
    return element("label", { class: "switch" }, [box, element("span", { text: "Torso and platform help" })]);
  }

  #createBallSliders(): HTMLElement[] {
    const { ball, seenFor } = this.#problem;
    const make = (kind: "position" | "velocity", k: number): Slider => {
      const [min, max] = (kind === "position" ? positionRanges : velocityRanges)[k]!;
      return new Slider({
        label: kind === "position" ? `from ${axes[k]}` : `speed along ${axes[k]}`,
        min,
        max,
        step: 0.01,
        value: ball[kind][k]!,
        format: (value) => `${number(value, 2)} ${kind === "position" ? "m" : "m/s"}`,
        input: (value) => this.#setBall(kind, k, value),
      });
    };
    this.#ballSliders = [0, 1, 2].map((k) => make("position", k)).concat([0, 1, 2].map((k) => make("velocity", k)));
    const seen = new Slider({
      label: "in the air before the arm moves",
      min: 0,
      max: 0.5,
      step: 0.01,
      value: seenFor,
      format: (value) => `${number(1e3 * value)} ms`,
      input: (value) => this.#set({ seenFor: value }),
    });
    return [...this.#ballSliders, seen].map((slider) => slider.element);
  }

  #setBall(kind: "position" | "velocity", k: number, value: number): void {
    const changed = [...this.#problem.ball[kind]] as [number, number, number];
    changed[k] = value;
    this.#set({ ball: { ...this.#problem.ball, [kind]: changed } });
  }

  #limitSlider(): HTMLElement {
    return new Slider({
      label: "speed and acceleration",
      min: 0.2,
      max: 1,
      step: 0.05,
      value: 1,
      format: (value) => `${number(100 * value)} %`,
      input: (limits) => this.#set({ limits }),
    }).element;
  }

  /** Fingers are left out: they do not plan. */
  #jointSliders({ joints, groups, postures }: RobotFacts["description"], posture: string): HTMLElement[] {
    const planned = new Set(groups.flatMap((one) => one.joints));
    return joints.flatMap(({ name, lower, upper, kind }, index) => {
      if (!planned.has(name) || /finger/i.test(name)) return [];
      const isAngle = kind === "revolute";
      const scale = isAngle ? 180 / Math.PI : 1e3;
      return new Slider({
        label: words(name),
        min: lower ?? -Math.PI,
        max: upper ?? Math.PI,
        step: 0.01,
        value: postures[posture]?.[index] ?? 0,
        format: (value) => `${number(scale * value)} ${isAngle ? "°" : "mm"}`,
        input: (value) => this.#set({ joints: { ...this.#problem.joints, [name]: value } }),
      }).element;
    });
  }
}

function group(title: string, children: readonly HTMLElement[]): HTMLElement {
  return element("section", { class: "control-group" }, [element("h2", { text: title }), ...children]);
}

function select(
  label: string,
  values: readonly string[],
  chosen: string,
  choose: (value: string) => void,
): HTMLElement {
  const options = values.map((value) =>
    element("option", { text: value, attributes: { value, selected: value === chosen ? "" : null } }),
  );
  const box = element("select", { on: { change: () => choose(box.value) } }, options);
  return element("label", { class: "field" }, [element("span", { class: "quiet", text: label }), box]);
}
