import type { ImagePacket } from "../../../src/view/pose-packet.js";
import { element } from "../dom/element.js";
import { createPanel } from "../dom/panel.js";
import { paintPixels } from "../dom/pixels.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";
import type { Page } from "../page.js";
import { ColourTeacher } from "./colour-teacher.js";

type Side = ImagePacket["camera"];

/** What the two cameras see, with what the detector found drawn in. Images are asked for only while it is open. */
export function createCameraPanel({ stream, store, toasts }: Pick<Page, "stream" | "store" | "toasts">): HTMLElement {
  const views = { left: createView("left"), right: createView("right") };
  const teacher = new ColourTeacher(views, toasts);
  const note = element("p", {
    class: "empty",
    text: "Images appear while a ball is in the air, if this run renders any.",
  });
  const panel = createPanel(
    {
      title: "Cameras",
      state: "folded",
      hint: "Images with the circles found; the drawn windows are the only parts that were searched",
    },
    [element("div", { class: "cameras" }, [views.left, views.right]), note, teacher.element],
  );
  panel.element.addEventListener("toggle", () => stream.watch("images", panel.element.open ? "on" : "off"));
  stream.images.add((image) => {
    note.hidden = true;
    teacher.keep(image);
    if (!teacher.isHeld) draw(views[image.camera], image, store);
  });
  refreshOn(store.changes, ["hello"], () => {
    teacher.element.hidden = store.hello?.facts.controls.includes("colour") !== true;
  });
  return panel.element;
}

function createView(side: Side): HTMLCanvasElement {
  return element("canvas", {
    attributes: { width: 400, height: 300, role: "img", "aria-label": `Image of the ${side} camera` },
  });
}

/** Circles belong to an image if they were exposed at its time, to within rounding [s]. */
const SAME_EXPOSURE = 1e-3;

function draw(canvas: HTMLCanvasElement, packet: ImagePacket, store: LiveStore): void {
  const { camera, width, time, windows } = packet;
  const context = canvas.getContext("2d");
  if (context === null) return;
  paintPixels(canvas, packet);
  context.lineWidth = Math.max(1.5, width / 300);
  context.strokeStyle = "#009e73";
  context.setLineDash([5, 4]);
  for (const { u, v, halfSize } of windows) context.strokeRect(u - halfSize, v - halfSize, 2 * halfSize, 2 * halfSize);
  context.setLineDash([]);
  const found = store.circles.get(camera);
  canvas.dataset.circles = "0";
  if (found === undefined || Math.abs(found.tExposure - time) > SAME_EXPOSURE) return;
  canvas.dataset.circles = String(found.circles.length);
  const scale = width / found.width;
  for (const [u, v, radius, score] of found.circles) {
    context.strokeStyle = score > 0.5 ? "#e69f00" : "rgb(86 180 233 / 70%)";
    context.beginPath();
    context.arc(scale * u, scale * v, scale * radius + 2, 0, 2 * Math.PI);
    context.stroke();
  }
}
