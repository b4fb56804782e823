import { element } from "../dom/element.js";
import type { LiveScene } from "../live/live-scene.js";
import { LiveStore } from "../live/live-store.js";
import { type RobotFacts, robotFacts } from "../live/robot-facts.js";
import type { Page } from "../page.js";
import { createDistancePanel } from "../panels/distance-panel.js";
import { createEventPanel } from "../panels/event-panel.js";
import { createPredictionPanel } from "../panels/prediction-panel.js";
import { createRampsPanel } from "../panels/ramps-panel.js";
import { createScoreCard } from "../panels/score-card.js";
import { createStatePanel } from "../panels/state-panel.js";
import { createThrowPanel } from "../panels/throw-panel.js";
import { createTimeline } from "../panels/timeline-panel.js";
import type { CompanionFigure } from "../scene/companion-figure.js";
import { hasWebGL } from "../scene/webgl-support.js";
import { RecordedSession } from "./recorded-session.js";
import type { ReadRecording } from "./recording-file.js";
import { RecordingPlayer } from "./recording-player.js";
import { TransportBar } from "./transport-bar.js";

/** A recording, opened: picture, playback, and the same panels as of a live run. */
export class RecordingView {
  readonly middle = element("div", { class: "middle" });
  readonly panels: HTMLElement[];
  readonly player: RecordingPlayer;
  readonly transport: TransportBar;
  readonly name: string;
  readonly #facts: RobotFacts;
  readonly #picture = element("div", { class: "picture" });
  readonly #store: LiveStore;
  #scene: LiveScene | null = null;
  #other: { readonly figure: CompanionFigure; readonly end: () => void } | null = null;

  /** Opens a recording whose robot the service knows. */
  static async open(recording: ReadRecording, page: Page): Promise<RecordingView> {
    const facts = await robotFacts(recording.header.robot?.name ?? "agile-justin");
    const view = new RecordingView(recording, facts);
    await view.#draw(page);
    return view;
  }

  private constructor(recording: ReadRecording, facts: RobotFacts) {
    this.name = recording.name;
    this.#facts = facts;
    this.#store = new LiveStore();
    this.player = new RecordingPlayer(new RecordedSession(recording, facts), this.#store);
    this.transport = new TransportBar(this.player);
    this.#picture.append(createScoreCard(this.#store));
    this.middle.append(this.#picture, this.transport.element, createTimeline(this.#store));
    this.panels = [
      createStatePanel(this.#store),
      createRampsPanel(this.#store, facts),
      createPredictionPanel(this.#store),
      createThrowPanel(this.#store),
      createDistancePanel(this.#store),
      createEventPanel(this.#store),
    ];
  }

  /** Shows another run of the same robot as a see-through figure, at the same time after the beginning. */
  async compare(recording: ReadRecording): Promise<void> {
    this.stopComparing();
    const scene = this.#scene;
    if (scene === null) return;
    const { CompanionFigure } = await import("../scene/companion-figure.js");
    const figure = new CompanionFigure(this.#facts.scene, scene.display.view);
    const store = new LiveStore();
    const player = new RecordingPlayer(new RecordedSession(recording, this.#facts), store);
    const follow = (time: number): void => {
      player.seek(time - this.player.session.begin + player.session.begin);
      if (store.pose !== null) figure.setJoints(store.pose.joints);
    };
    follow(this.player.time);
    this.#other = { figure, end: this.player.times.add(follow) };
  }

  stopComparing(): void {
    this.#other?.end();
    this.#other?.figure.dispose();
    this.#other = null;
  }

  dispose(): void {
    this.stopComparing();
    this.transport.dispose();
    this.player.dispose();
    this.#scene?.dispose();
    this.middle.remove();
  }

  async #draw(page: Page): Promise<void> {
    if (!hasWebGL()) {
      this.#picture.append(
        element("p", {
          class: "no-webgl",
          text: "This browser has no WebGL: plots and figures work, the picture is missing.",
        }),
      );
      return;
    }
    const [{ LiveScene }, { ViewBar }] = await Promise.all([
      import("../live/live-scene.js"),
      import("../live/view-bar.js"),
    ]);
    this.#scene = new LiveScene(this.#picture, { ...page, store: this.#store }, this.#facts);
    const looks =
      this.#facts.scene.cameras === null ? (["orbit", "ball"] as const) : (["orbit", "ball", "head"] as const);
    const bar = new ViewBar(this.#scene.display, looks, ["prediction", "ghost", "hulls", "frames", "cameras"]);
    this.#picture.append(bar.element);
  }
}
