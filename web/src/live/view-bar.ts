import { element } from "../dom/element.js";
import { Segmented } from "../dom/segmented.js";
import type { Overlay, RobotDisplay } from "../scene/robot-display.js";
import type { Viewpoint } from "../scene/scene-view.js";

const viewpoints = [
  { value: "orbit", text: "Orbit", hint: "Drag to look around" },
  { value: "ball", text: "Ball", hint: "Follow the ball" },
  { value: "head", text: "Head", hint: "What the left camera sees" },
] as const;

const overlays: readonly { readonly value: Overlay; readonly text: string; readonly hint: string }[] = [
  { value: "prediction", text: "Prediction", hint: "Predicted flight of the ball, in a tube of two sigma" },
  { value: "ghost", text: "Catch", hint: "Planned catch, and the arm at that time" },
  { value: "launch", text: "Arrow", hint: "The arrow that launches the ball" },
  { value: "hulls", text: "Hulls", hint: "The bodies of the safety monitor, orange where they come near" },
  {
    value: "swept",
    text: "Swept",
    hint: "Volume that the bodies can sweep until the robot stands, orange where near",
  },
  { value: "frames", text: "Frames", hint: "Axes of world, base, chest, head and hands" },
  { value: "cameras", text: "Frusta", hint: "What the two cameras can see" },
];

/** From where to look, and what to show: over the picture. */
export class ViewBar {
  readonly element: HTMLElement;
  readonly #display: RobotDisplay;
  readonly #views: Segmented<Viewpoint>;
  readonly #looks: readonly (typeof viewpoints)[number][];

  /** What there is to look from, and to be shown. */
  constructor(display: RobotDisplay, looks: readonly Viewpoint[], shown: readonly Overlay[]) {
    this.#display = display;
    this.#looks = viewpoints.filter(({ value }) => looks.includes(value));
    this.#views = new Segmented("View", this.#looks, (viewpoint) => this.look(viewpoint));
    this.#views.value = "orbit";
    this.#views.element.hidden = looks.length < 2;
    const toggles = overlays.flatMap(({ value, text, hint }) => {
      if (!shown.includes(value)) return [];
      const button = element("button", {
        text,
        attributes: { type: "button", title: hint, "aria-pressed": String(display.isShown(value)) },
        on: {
          click: () => {
            const isOn = button.getAttribute("aria-pressed") !== "true";
            button.setAttribute("aria-pressed", String(isOn));
            display.show(value, isOn ? "on" : "off");
          },
        },
      });
      return button;
    });
    this.element = element("div", { class: "view-bar" }, [
      this.#views.element,
      element("div", { class: "chips", attributes: { role: "group", "aria-label": "Shown in the picture" } }, toggles),
    ]);
  }

  look(viewpoint: Viewpoint): void {
    this.#display.view.viewpoint = viewpoint;
    this.#views.value = viewpoint;
  }

  /** The next viewpoint in turn. */
  lookOn(): void {
    const at = this.#looks.findIndex(({ value }) => value === this.#display.view.viewpoint);
    this.look(this.#looks[(at + 1) % this.#looks.length]!.value);
  }
}
