import type { PlanAnswer } from "../../../src/planning/request/answer.js";
import { ServiceError, sendForJson } from "../connection/service-request.js";
import { type CatchMode, modeLabels } from "../controls/mode-words.js";
import { element } from "../dom/element.js";
import { type RobotFacts, robotFacts } from "../live/robot-facts.js";
import { ViewBar } from "../live/view-bar.js";
import type { Page, Sheet } from "../page.js";
import type { RobotDisplay } from "../scene/robot-display.js";
import { hasWebGL } from "../scene/webgl-support.js";
import { AnswerPanel } from "./answer-panel.js";
import { BallPath } from "./ball-path.js";
import { CopyPanel } from "./copy-panel.js";
import { MotionPanel } from "./motion-panel.js";
import { type FeasibleWindow, feasibleWindows, plan, planMotion } from "./plan-client.js";
import type { PlaygroundScene } from "./playground-scene.js";
import { type Problem, requestOf } from "./problem.js";
import { ProblemControls } from "./problem-controls.js";
import { motionRequestOf, type Reach, ReachPanel } from "./reach-panel.js";
import { ReachedMotion } from "./reached-motion.js";

/** Nothing is asked before the sliders have rested so long [ms]. */
const REST_MS = 180;

const firstProblem: Omit<Problem, "robot"> = {
  group: "any",
  posture: "ready",
  joints: {},
  ball: { position: [5.05, -0.22, 1.5], velocity: [-4.9, -0.33, 4.79] },
  seenFor: 0.25,
  body: "none",
  limits: 1,
};

/** The planning playground: a ball and a posture in, the plan of each mode out, or why there is none. */
export class PlaygroundSheet implements Sheet {
  readonly element = element("main", { class: "sheet live playground" });
  readonly #page: Page;
  readonly #picture = element("div", { class: "picture" });
  readonly #side = element("aside", { class: "side", attributes: { "aria-label": "Plans" } });
  readonly #feasible = element("p", { class: "feasible-note", attributes: { role: "status" } });
  readonly #answers = new Map<CatchMode, PlanAnswer>();
  #controls: ProblemControls | null = null;
  #answerPanel: AnswerPanel | null = null;
  #motionPanel: MotionPanel | null = null;
  #copyPanel: CopyPanel | null = null;
  #reachPanel: ReachPanel | null = null;
  #scene: PlaygroundScene | null = null;
  #viewBar: ViewBar | null = null;
  #chosen: CatchMode = "soft";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort = new AbortController();

  constructor(page: Page) {
    this.#page = page;
    this.#picture.append(this.#feasible);
    void page.toasts.guard(this.#begin());
  }

  get display(): RobotDisplay | null {
    return this.#scene?.display ?? null;
  }

  async #begin(): Promise<void> {
    const list = await sendForJson<{ default: string; robots: { name: string }[] }>("/v1/robots");
    const names = list.robots.map(({ name }) => name);
    const problem = { ...firstProblem, robot: list.default };
    const controls = new ProblemControls(names, problem, (robot) => void this.#page.toasts.guard(this.#meet(robot)));
    this.#controls = controls;
    controls.changes.add((changed) => this.#changed(changed));
    const middle = element("div", { class: "middle" }, [this.#picture]);
    this.element.replaceChildren(controls.element, middle, this.#side);
    await this.#meet(list.default);
  }

  async #meet(robot: string): Promise<void> {
    const facts = await robotFacts(robot);
    this.#answers.clear();
    this.#answerPanel = new AnswerPanel((mode) => this.#show(mode));
    this.#motionPanel = new MotionPanel(facts, (time) => this.#scene?.seek(time));
    this.#copyPanel = new CopyPanel(this.#page.toasts);
    this.#reachPanel = new ReachPanel(
      (reach) => void this.#page.toasts.guard(this.#reach(reach)),
      (reach) => this.#scene?.drawReach(reach),
    );
    const panels = [this.#answerPanel, this.#motionPanel, this.#reachPanel, this.#copyPanel];
    this.#side.replaceChildren(...panels.map((panel) => panel.element));
    await this.#draw(facts);
    this.#controls?.fill(facts);
  }

  async #draw(facts: RobotFacts): Promise<void> {
    this.#scene?.dispose();
    this.#scene = null;
    if (!hasWebGL()) {
      this.#picture.append(
        element("p", {
          class: "no-webgl",
          text: "This browser has no WebGL: the plans are on the right, the picture is missing.",
        }),
      );
      return;
    }
    const { PlaygroundScene } = await import("./playground-scene.js");
    this.#scene = new PlaygroundScene(this.#picture, facts, this.#page.rendering);
    this.#viewBar?.element.remove();
    this.#viewBar = new ViewBar(this.#scene.display, ["orbit"], ["ghost", "hulls", "frames", "cameras", "launch"]);
    this.#picture.append(this.#viewBar.element);
    this.#scene.display.launch.changes.add((ball) => {
      if (this.#controls !== null) this.#controls.ball = ball;
    });
  }

  #changed(problem: Problem): void {
    this.#scene?.set(problem);
    if (this.#copyPanel !== null) this.#copyPanel.request = requestOf(problem, this.#chosen);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#plan(problem), REST_MS);
  }

  /** Plans in every mode, then along the path; what was asked before is given up. */
  async #plan(problem: Problem): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    if (this.#answerPanel !== null) this.#answerPanel.state = "planning";
    try {
      for (const { value: mode } of modeLabels) {
        this.#answers.set(mode, await plan(requestOf(problem, mode), signal));
        if (mode === this.#chosen) this.#show(mode);
      }
      this.#show(this.#chosen);
      if (this.#answerPanel !== null) this.#answerPanel.state = "";
      await this.#findFeasible(problem, signal);
    } catch (error) {
      if (signal.aborted) return;
      const words = error instanceof ServiceError ? error.message : String(error);
      if (this.#answerPanel !== null) this.#answerPanel.state = "";
      this.#page.toasts.say(words, "problem");
    }
  }

  /** Plans a motion to a place and plays it. */
  async #reach(reach: Reach): Promise<void> {
    const problem = this.#controls?.problem;
    if (problem === undefined || this.#reachPanel === null) return;
    this.#scene?.drawReach(reach);
    this.#reachPanel.state = "planning";
    try {
      const answer = await planMotion(motionRequestOf(problem, reach));
      this.#reachPanel.show(answer);
      if (answer.motion !== undefined) this.#scene?.play(new ReachedMotion(answer.motion));
    } catch (error) {
      this.#reachPanel.state = error instanceof ServiceError ? error.message : String(error);
    }
  }

  async #findFeasible(problem: Problem, signal: AbortSignal): Promise<void> {
    const path = new BallPath(problem.ball, problem.seenFor);
    const windows: FeasibleWindow[] = [];
    const told = (window: FeasibleWindow): void => {
      windows.push(window);
      this.#scene?.showFeasible(windows);
      this.#feasible.textContent = feasibleWords(windows);
    };
    await feasibleWindows(requestOf(problem, "soft"), path.lands, told, signal);
  }

  #show(mode: CatchMode): void {
    this.#chosen = mode;
    this.#answerPanel?.show(this.#answers, mode);
    const answer = this.#answers.get(mode);
    if (this.#controls !== null && this.#copyPanel !== null) {
      this.#copyPanel.request = requestOf(this.#controls.problem, mode);
    }
    if (answer === undefined) return;
    this.#motionPanel?.show(answer);
    const time = answer.catch?.time ?? 0;
    if (this.#motionPanel !== null) this.#motionPanel.time = time;
    this.#scene?.showAnswer(answer, time);
  }
}

function feasibleWords(windows: readonly FeasibleWindow[]): string {
  const can = windows.filter(({ answer }) => answer.catch !== undefined).sort((a, b) => a.from - b.from);
  const first = can[0];
  if (first === undefined) return "The ball cannot be caught anywhere on its path.";
  const last = can.at(-1)!;
  return `Can be caught from ${first.from.toFixed(2)} s to ${last.to.toFixed(2)} s, in ${can.length} of ${windows.length} stretches.`;
}
