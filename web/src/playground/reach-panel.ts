import type { MotionAnswer } from "../../../src/planning/motions/motion-answer.js";
import type { MotionRequest } from "../../../src/planning/motions/motion-request.js";
import { element, setText } from "../dom/element.js";
import { number } from "../dom/format.js";
import { createPanel } from "../dom/panel.js";
import { Slider } from "../dom/slider.js";
import type { Problem } from "./problem.js";

/** Where a tool is to go, and what is in its way. */
export interface Reach {
  readonly position: readonly [number, number, number];
  /** [s]; 0: as soon as possible. */
  readonly at: number;
  /** Edges and centre of the box in the way [m]; null: nothing is. */
  readonly box: {
    readonly size: readonly [number, number, number];
    readonly at: readonly [number, number, number];
  } | null;
}

const ranges = [
  [-1, 1.2],
  [-1, 1],
  [0, 1.8],
] as const;
const axes = ["x", "y", "z"] as const;
const POST = [0.08, 0.08, 1] as const;

/** A motion to a place: the goal and the time by sliders, a post in the way by a switch, and what came of it. */
export class ReachPanel {
  readonly element: HTMLElement;
  readonly #result = element("p", { class: "reach-result", attributes: { role: "status" } });
  readonly #reasons = element("ol");
  readonly #isBlocked: HTMLInputElement;
  readonly #position: [number, number, number] = [0.5, 0.2, 0.6];
  #at = 0;

  /** `plan` is called with the reach wanted, `draw` when it has changed. */
  constructor(plan: (reach: Reach) => void, draw: (reach: Reach) => void) {
    const slider = (k: 0 | 1 | 2): Slider =>
      new Slider({
        label: `tool at ${axes[k]}`,
        min: ranges[k][0],
        max: ranges[k][1],
        step: 0.01,
        value: this.#position[k],
        format: (value) => `${number(value, 2)} m`,
        input: (value) => {
          this.#position[k] = value;
          draw(this.reach);
        },
      });
    const time = new Slider({
      label: "arrive after",
      min: 0,
      max: 4,
      step: 0.05,
      value: 0,
      format: (value) => (value === 0 ? "soonest" : `${number(value, 2)} s`),
      input: (value) => {
        this.#at = value;
      },
    });
    this.#isBlocked = element("input", {
      attributes: { type: "checkbox", role: "switch" },
      on: { change: () => draw(this.reach) },
    });
    const button = element("button", {
      text: "Plan the motion",
      attributes: { type: "button" },
      on: { click: () => plan(this.reach) },
    });
    this.element = createPanel({ title: "Motion to a place", hint: "The tool goes there from the start posture." }, [
      element("div", { class: "sliders" }, [...([0, 1, 2] as const).map((k) => slider(k).element), time.element]),
      element("label", { class: "switch" }, [this.#isBlocked, element("span", { text: "A post in the way" })]),
      button,
      this.#result,
      this.#reasons,
    ]).element;
  }

  get reach(): Reach {
    const at = [0.5, 0, 0.5] as const;
    return { position: [...this.#position], at: this.#at, box: this.#isBlocked.checked ? { size: POST, at } : null };
  }

  set state(text: string) {
    setText(this.#result, text);
    this.#reasons.replaceChildren();
  }

  show({ status, arrival, statistics, reasons = [] }: MotionAnswer): void {
    const when = arrival === undefined ? "" : `, there after ${number(arrival, 2)} s`;
    this.state = `${status}${when} (${statistics.planner}, ${number(statistics.milliseconds, 1)} ms)`;
    this.#reasons.replaceChildren(...reasons.map(({ sentence }) => element("li", { text: sentence })));
  }
}

/** The request for a motion of the problem's arm from its start. */
export function motionRequestOf(problem: Problem, { position, at, box }: Reach): MotionRequest {
  const { robot, group, posture, joints } = problem;
  const post =
    box === null ? [] : [{ name: "post", type: "box" as const, origin: { xyz: [...box.at] }, size: [...box.size] }];
  return {
    robot,
    ...(group !== "any" && { group }),
    start: { posture, ...(Object.keys(joints).length > 0 && { position: joints }) },
    goal: { position: [...position] },
    ...(at > 0 && { when: { at } }),
    ...(post.length > 0 && { obstacles: post as NonNullable<MotionRequest["obstacles"]> }),
  };
}
