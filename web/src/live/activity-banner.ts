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
  const banner = element("div", { class: "banner", attributes: { role: "alert", hidden: "" } }, [title, text]);
  const update = (): void => {
    const words = wordsFor(stream.connection) ?? wordsForActivity(store);
    banner.hidden = words === null;
    if (words === null) return;
    banner.dataset.kind = words.kind;
    title.textContent = words.title;
    text.textContent = words.text;
  };
  stream.connections.add(update);
  refreshOn(store.changes, ["state", "hello"], update);
  return banner;
}

interface Words {
  readonly kind: "wait" | "stop" | "hint";
  readonly title: string;
  readonly text: string;
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

function wordsForActivity({ state, stop }: LiveStore): Words | null {
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
