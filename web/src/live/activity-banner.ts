import type { Connection } from "../connection/live-stream.js";
import { element } from "../dom/element.js";
import { refreshOn } from "../dom/refresh.js";
import type { Page } from "../page.js";
import type { LiveStore } from "./live-store.js";
import { stopWords } from "./stop-timing.js";

/** Says over the picture what a person must know: there is no run, the service is away, the robot was stopped. */
export function createActivityBanner({ store, stream }: Page): HTMLElement {
  const title = element("strong");
  const text = element("span");
  const progress = element("progress", { attributes: { max: "1", "aria-label": "Warm-up" } });
  const banner = element("div", { class: "banner", attributes: { role: "alert", hidden: "" } }, [
    title,
    text,
    progress,
  ]);
  const update = (): void => {
    const words = wordsFor(stream.connection) ?? wordsForActivity(store);
    banner.hidden = words === null;
    if (words === null) return;
    banner.dataset.kind = words.kind;
    title.textContent = words.title;
    text.textContent = words.text;
    progress.hidden = words.share === undefined;
    progress.value = words.share ?? 0;
  };
  stream.connections.add(update);
  refreshOn(store.changes, ["state", "hello", "start"], update);
  return banner;
}

interface Words {
  readonly kind: "wait" | "stop" | "hint";
  readonly title: string;
  readonly text: string;
  /** How far something has come, from 0 to 1. */
  readonly share?: number;
}

function wordsFor({ state }: Connection): Words | null {
  switch (state) {
    case "connected":
      return null;
    case "connecting":
      return { kind: "wait", title: "Connecting", text: "to the service" };
    case "lost":
      return { kind: "wait", title: "The service cannot be reached", text: "The page reconnects automatically." };
    case "no-run":
      return {
        kind: "hint",
        title: "No live run",
        text: "Start one with “npx flycatcher live --serve”. The playground plans catches meanwhile.",
      };
    case "refused":
      return { kind: "hint", title: "A token is needed", text: "Enter it with the key button above." };
  }
}

function wordsForActivity({ start, state, stop }: LiveStore): Words | null {
  if (start !== null) {
    const { share, parts } = start;
    return { kind: "wait", title: "Warming up", text: parts.map(partName).join(", "), share };
  }
  const activity = state?.activity;
  const reason = state?.monitor.reason ?? "";
  if (activity === "stopped") {
    const sentences = [
      ...(reason === "" ? [] : [`${reason}.`]),
      ...(stop === null ? [] : [stopWords(stop)]),
      "Reset lets it move again (R).",
    ];
    return { kind: "stop", title: "Stopped", text: sentences.join(" ") };
  }
  if (activity === "fault")
    return { kind: "stop", title: "Fault", text: reason === "" ? "Reset when it is repaired (R)." : reason };
  if (activity === "starting") return { kind: "wait", title: "Starting", text: "" };
  return null;
}

/** A part of the warm-up as people call it: "camera-left" is the left camera. */
function partName(part: string): string {
  const [kind, ...which] = part.split("-");
  return which.length === 0 ? part : `${which.join(" ")} ${kind}`;
}
