import { takeTrace } from "../connection/live-actions.js";
import { element, setText } from "../dom/element.js";
import { saveFile } from "../dom/save-file.js";
import type { Toasts } from "../dom/toast.js";

/** Length of a trace [s]. */
const SECONDS = 3;

/** Takes a trace of a few seconds and hands it to the person as a file. */
export function createTraceButton(toasts: Toasts): HTMLElement {
  const words = `Trace ${SECONDS} s`;
  const button = element("button", {
    class: "trace",
    text: words,
    attributes: { type: "button", title: "Each node's steps as a file that ui.perfetto.dev opens" },
  });
  const take = async (): Promise<void> => {
    button.disabled = true;
    setText(button, "Tracing …");
    await toasts.guard(
      takeTrace(SECONDS).then((file) => {
        saveFile(file, "flycatcher-trace.json");
        toasts.say("The trace is in your downloads: open it in ui.perfetto.dev");
      }),
    );
    button.disabled = false;
    setText(button, words);
  };
  button.addEventListener("click", () => void take());
  return button;
}
