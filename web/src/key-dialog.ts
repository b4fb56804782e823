import { element } from "./dom/element.js";

const keys = [
  ["space", "stop the robot"],
  ["T", "throw a ball"],
  ["2", "throw two balls"],
  ["R", "reset after a stop"],
  ["K", "pause and continue (lock-step)"],
  ["V", "next view: orbit, ball, head"],
  ["H", "default view"],
  ["P", "presentation"],
  ["L", "light or dark"],
  ["← →", "step through a replay"],
  ["?", "these keys"],
] as const;

/** The keys of the page. */
export function createKeyDialog(): HTMLDialogElement {
  const rows = keys.flatMap(([key, text]) => [
    element("dt", {}, [element("kbd", { text: key })]),
    element("dd", { text }),
  ]);
  return element("dialog", { class: "dialog keys" }, [
    element("form", { attributes: { method: "dialog" } }, [
      element("h2", { text: "Keys" }),
      element("dl", {}, rows),
      element("button", { class: "primary", text: "Close" }),
    ]),
  ]);
}
