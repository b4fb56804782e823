import type { ImagePacket } from "../../../src/view/pose-packet.js";
import { type LearntColour, learnColour, useColour } from "../connection/live-actions.js";
import { element, setText } from "../dom/element.js";
import { paintPixels } from "../dom/pixels.js";
import { saveFile } from "../dom/save-file.js";
import { Slider } from "../dom/slider.js";
import type { Toasts } from "../dom/toast.js";
import { type BallMark, fromBase64, markBetween, marked } from "./marked-images.js";

type Side = ImagePacket["camera"];

/** Images that are kept to choose from, of each camera; images of a lesson at most. */
const KEPT = 80;
const MOST_MARKED = 8;

/**
 * Lets a person teach the ball's colour: images are held still, the ball is marked in some of them, the service learns from the
 * marks, and the detectors of the run use it.
 */
export class ColourTeacher {
  readonly element: HTMLElement;
  readonly #views: Readonly<Record<Side, HTMLCanvasElement>>;
  readonly #toasts: Toasts;
  readonly #kept: Record<Side, ImagePacket[]> = { left: [], right: [] };
  readonly #marks = new Map<ImagePacket, BallMark>();
  readonly #hold = button("Teach the ball's colour", () => this.#toggle());
  readonly #earlier: Slider;
  readonly #note = element("p", { class: "hint" });
  readonly #learn = button("Learn", () => void this.#toasts.guard(this.#learnFromMarks()));
  readonly #use = button("Use it", () => void this.#toasts.guard(this.#useLearnt()));
  readonly #save = button("Save", () => this.#saveLearnt());
  readonly #preview = element("canvas", {
    attributes: { role: "img", "aria-label": "The image as the detector sees it" },
  });
  readonly #steps: HTMLElement;
  #learnt: LearntColour | null = null;
  #isHeld = false;

  constructor(views: Readonly<Record<Side, HTMLCanvasElement>>, toasts: Toasts) {
    this.#views = views;
    this.#toasts = toasts;
    this.#earlier = new Slider({
      ...{ label: "Earlier image", min: 0, max: KEPT - 1, step: 1, value: 0 },
      format: (value) => (value === 0 ? "newest" : `${value} before`),
      input: () => this.#draw(),
    });
    this.#steps = element("div", { class: "colour-steps" }, [
      element("p", { text: "Press on the ball's middle and drag to its rim; a click will do for a small ball." }),
      this.#earlier.element,
      this.#note,
      element("p", {}, [this.#learn, this.#use, this.#save]),
      this.#preview,
    ]);
    this.element = element("div", { class: "colour-teacher" }, [this.#hold, this.#steps]);
    for (const side of ["left", "right"] as const) this.#listen(side);
    this.#refresh();
  }

  /** Whether images stand still. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Keeps an image to choose from, while they do not stand still. */
  keep(image: ImagePacket): void {
    if (this.#isHeld || image.encoding !== "rgb8") return;
    const kept = this.#kept[image.camera];
    kept.push(image);
    if (kept.length > KEPT) kept.shift();
  }

  #toggle(): void {
    this.#isHeld = !this.#isHeld;
    this.#marks.clear();
    this.#learnt = null;
    this.#earlier.value = 0;
    this.#refresh();
    if (this.#isHeld) this.#draw();
  }

  #listen(side: Side): void {
    const canvas = this.#views[side];
    let from: readonly [number, number] | null = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (!this.#isHeld) return;
      from = placeOf(canvas, event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (from !== null) this.#mark(side, markBetween(from, placeOf(canvas, event)));
      from = null;
    });
  }

  #mark(side: Side, mark: BallMark): void {
    const image = this.#shown(side);
    if (image === undefined || (this.#marks.size >= MOST_MARKED && !this.#marks.has(image))) return;
    this.#marks.set(image, mark);
    this.#learnt = null;
    this.#refresh();
    this.#draw();
  }

  #shown(side: Side): ImagePacket | undefined {
    return this.#kept[side].at(-1 - this.#earlier.value);
  }

  /** The images that stand still, with their marks. */
  #draw(): void {
    for (const side of ["left", "right"] as const) {
      const [canvas, image] = [this.#views[side], this.#shown(side)];
      if (image === undefined) continue;
      paintPixels(canvas, image);
      const [mark, context] = [this.#marks.get(image), canvas.getContext("2d")];
      if (mark === undefined || context === null) continue;
      context.lineWidth = 1.5;
      context.strokeStyle = "#ffffff";
      context.beginPath();
      context.arc(mark.u, mark.v, mark.r, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  #refresh(): void {
    const count = this.#marks.size;
    setText(this.#hold, this.#isHeld ? "Done" : "Teach the ball's colour");
    this.#steps.hidden = !this.#isHeld;
    this.#steps.dataset.marks = String(count);
    setText(
      this.#note,
      count === 0 ? "No image is marked yet." : `${count} ${count === 1 ? "image is" : "images are"} marked.`,
    );
    this.#learn.disabled = count === 0;
    this.#use.disabled = this.#learnt === null;
    this.#save.disabled = this.#learnt === null;
    this.#preview.hidden = this.#learnt === null;
  }

  async #learnFromMarks(): Promise<void> {
    this.#learnt = await learnColour(Array.from(this.#marks, ([image, mark]) => marked(image, mark)));
    const { preview } = this.#learnt;
    paintPixels(this.#preview, { ...preview, encoding: "mono8", pixels: fromBase64(preview.pixels) });
    this.#refresh();
  }

  async #useLearnt(): Promise<void> {
    if (this.#learnt === null) return;
    await useColour(this.#learnt.colour);
    this.#toasts.say("Balls are looked for by this colour from now on");
  }

  #saveLearnt(): void {
    if (this.#learnt === null) return;
    const text = JSON.stringify(this.#learnt.profile, null, 2);
    saveFile(new Blob([text], { type: "application/json" }), "ball.json");
  }
}

function button(text: string, click: () => void): HTMLButtonElement {
  return element("button", { text, attributes: { type: "button" }, on: { click } });
}

/** Where on a canvas' image the pointer is [px]. */
function placeOf(canvas: HTMLCanvasElement, { clientX, clientY }: PointerEvent): readonly [number, number] {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return [((clientX - left) * canvas.width) / width - 0.5, ((clientY - top) * canvas.height) / height - 0.5];
}
