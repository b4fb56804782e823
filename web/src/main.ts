import "./style/page.css";
import { LiveStream } from "./connection/live-stream.js";
import { findStopListener, stopHeartbeatMs } from "./connection/stop-listener.js";
import { isWriting, StopButton } from "./controls/stop-button.js";
import { TokenDialog } from "./controls/token-dialog.js";
import { element } from "./dom/element.js";
import { Toasts } from "./dom/toast.js";
import { Header, type SheetName, sheetNames, toggleTheme } from "./header.js";
import { createKeyDialog } from "./key-dialog.js";
import { LiveStore } from "./live/live-store.js";
import type { Page, Sheet } from "./page.js";
import { applyTheme } from "./theme.js";

/** Sheets are loaded when they are opened first. */
const loaders: Readonly<Record<SheetName, (page: Page) => Promise<Sheet>>> = {
  live: async (page) => new (await import("./live/live-sheet.js")).LiveSheet(page),
  replay: async (page) => new (await import("./replay/replay-sheet.js")).ReplaySheet(page),
  playground: async (page) => new (await import("./playground/playground-sheet.js")).PlaygroundSheet(page),
  system: async (page) => new (await import("./system/system-sheet.js")).SystemSheet(page),
};

applyTheme();
const wish = new URLSearchParams(location.search).get("render");
const page: Page = {
  stream: new LiveStream(),
  store: new LiveStore(),
  toasts: new Toasts(),
  rendering: wish === "paused" || wish === "rarely" ? wish : "on",
};
const { stream, store, toasts } = page;
const stop = new StopButton(store);
const tokenDialog = new TokenDialog(() => void stream.connect());
const keyDialog = createKeyDialog();
const header = new Header(page, stop.element, {
  open: (name) => {
    isChosen = true;
    void open(name);
  },
  present: togglePresentation,
  askForToken: () => tokenDialog.open(),
  showKeys: () => keyDialog.showModal(),
});
const place = element("div", { class: "sheets" });
document.querySelector("#page")!.replaceChildren(header.element, place, toasts.element, tokenDialog.element, keyDialog);

const sheets = new Map<SheetName, Promise<Sheet>>();
let current: Sheet | null = null;

async function open(name: SheetName): Promise<void> {
  header.sheet = name;
  const known = sheets.get(name) ?? loaders[name](page);
  sheets.set(name, known);
  const sheet = await known;
  if (sheet === current) return;
  current?.hide?.();
  place.replaceChildren(sheet.element);
  current = sheet;
  sheet.show?.();
}

function togglePresentation(): void {
  document.documentElement.classList.toggle("presentation");
}

function namedInAddress(): SheetName {
  return sheetNames.find(({ name }) => `#${name}` === location.hash)?.name ?? "live";
}

window.addEventListener("hashchange", () => void open(namedInAddress()));
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
  if (current?.key?.(event)) return;
  if (event.key === "p") togglePresentation();
  else if (event.key === "l") toggleTheme();
  else if (event.key === "?") keyDialog.showModal();
});

stream.messages.add((message) => {
  store.handle(message);
  if (message.type === "hello")
    findStopListener()
      .then(() => stream.beatWithin(stopHeartbeatMs()))
      .catch(() => undefined);
});
stream.poses.add((pose) => store.handlePose(pose));
/** Whether a person has chosen a sheet, or the address did. */
let isChosen = location.hash !== "";
stream.connections.add(({ state }) => {
  document.documentElement.dataset.connection = state;
  // A service without a run plans: its page begins with the sheet that has something to show.
  if (state === "no-run" && !isChosen) {
    isChosen = true;
    void open("playground");
  }
  if (state === "refused") tokenDialog.open();
});
stop.timings.add((timing) => store.handleStop(timing));
stop.failures.add((error) => toasts.say(`The stop did not reach the service: ${error.message}`, "problem"));

void open(namedInAddress());
void stream.connect();
