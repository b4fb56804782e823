import { createChallengeControls } from "../controls/challenge-controls.js";
import { createModeControls } from "../controls/mode-controls.js";
import { ThrowControls } from "../controls/throw-controls.js";
import { TimeControls } from "../controls/time-controls.js";
import { element } from "../dom/element.js";
import type { Page, Sheet } from "../page.js";
import { createCameraPanel } from "../panels/camera-panel.js";
import { createComponentPanel } from "../panels/component-panel.js";
import { createDistancePanel } from "../panels/distance-panel.js";
import { createEventPanel } from "../panels/event-panel.js";
import { createPredictionPanel } from "../panels/prediction-panel.js";
import { createRampsPanel } from "../panels/ramps-panel.js";
import { createScoreCard } from "../panels/score-card.js";
import { createStatePanel } from "../panels/state-panel.js";
import { createThrowPanel } from "../panels/throw-panel.js";
import { createTimeline } from "../panels/timeline-panel.js";
import { createActivityBanner } from "./activity-banner.js";
import type { LiveScene } from "./live-scene.js";
import { type RobotFacts, robotFacts } from "./robot-facts.js";
import type { ViewBar } from "./view-bar.js";

/** The live run: picture in the middle, controls at its left, what goes on at its right, time below. */
export class LiveSheet implements Sheet {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #throwing: ThrowControls;
  readonly #time: TimeControls;
  readonly #picture = element("div", { class: "picture" });
  readonly #side = element("aside", { class: "side", attributes: { "aria-label": "Events" } });
  #scene: LiveScene | null = null;
  #viewBar: ViewBar | null = null;
  #robot: string | null = null;

  constructor(page: Page) {
    this.#page = page;
    this.#throwing = new ThrowControls(page);
    this.#throwing.onAim = (wish) => this.#aim(wish);
    this.#time = new TimeControls(page);
    this.#picture.append(createScoreCard(page.store), createActivityBanner(page));
    const controls = element("div", { class: "controls", attributes: { role: "region", "aria-label": "Controls" } }, [
      this.#throwing.element,
      createModeControls(page),
      createChallengeControls(page),
      this.#time.element,
    ]);
    const middle = element("div", { class: "middle" }, [this.#picture, createTimeline(page.store)]);
    this.element = element("main", { class: "sheet live" }, [controls, middle, this.#side]);
    page.store.changes.add((type) => {
      if (type === "hello") void this.#meet();
    });
    void this.#meet();
  }

  key({ key }: KeyboardEvent): boolean {
    const actions: Readonly<Record<string, () => void>> = {
      t: () => this.#throwing.throwOne(),
      "2": () => this.#throwing.throwTwo(),
      r: () => this.#time.reset(),
      k: () => this.#time.togglePause(),
      v: () => this.#viewBar?.lookOn(),
      h: () => this.#scene?.display.view.goHome(),
    };
    const action = actions[key.toLowerCase()];
    action?.();
    return action !== undefined;
  }

  /** The robot is known: shapes and limits can be fetched, picture and plots made. */
  async #meet(): Promise<void> {
    const name = this.#page.store.hello?.facts.robot;
    if (name === undefined || name === this.#robot) return;
    this.#robot = name;
    try {
      const facts = await robotFacts(name);
      this.#fillSide(facts);
      await this.#draw(facts);
    } catch (error) {
      this.#robot = null;
      this.#page.toasts.say(error instanceof Error ? error.message : String(error), "problem");
    }
  }

  #fillSide(facts: RobotFacts): void {
    const { store } = this.#page;
    this.#side.replaceChildren(
      createStatePanel(store),
      createRampsPanel(store, facts),
      createPredictionPanel(store),
      createThrowPanel(store),
      createDistancePanel(store),
      createCameraPanel(this.#page),
      createComponentPanel(store),
      createEventPanel(store),
    );
  }

  /** Three dimensions come last: they are the heaviest to load, and all else works without. */
  async #draw(facts: RobotFacts): Promise<void> {
    this.#scene?.dispose();
    this.#viewBar?.element.remove();
    const { hasWebGL } = await import("../scene/webgl-support.js");
    if (!hasWebGL()) {
      this.#picture.append(
        element("p", {
          class: "no-webgl",
          text: "This browser has no WebGL, so there is no picture in three dimensions. Everything else works: throw a ball and watch the states, plots and figures.",
        }),
      );
      return;
    }
    const [{ LiveScene }, { ViewBar }] = await Promise.all([import("./live-scene.js"), import("./view-bar.js")]);
    this.#scene = new LiveScene(this.#picture, this.#page, facts);
    this.#viewBar = new ViewBar(
      this.#scene.display,
      facts.scene.cameras === null ? ["orbit", "ball"] : ["orbit", "ball", "head"],
      ["prediction", "ghost", "hulls", "swept", "frames", "cameras"],
    );
    this.#picture.append(this.#viewBar.element);
    const { launch } = this.#scene.display;
    this.#throwing.launch = launch.launch;
    launch.changes.add((changed) => {
      this.#throwing.launch = changed;
    });
  }

  #aim(wish: "on" | "off"): void {
    this.#scene?.display.show("launch", wish);
  }
}
