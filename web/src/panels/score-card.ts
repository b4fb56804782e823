import type { HelloMessage } from "../../../src/messages/page.js";
import { element, setText } from "../dom/element.js";
import { percent } from "../dom/format.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";

type Rate = HelloMessage["summary"]["caughtOfAll"];

/** How many balls were caught, large enough to be read across a hall. */
export function createScoreCard(store: LiveStore): HTMLElement {
  const count = element("span", { class: "score-count", text: "0" });
  const of = element("span", { class: "score-of", text: "of 0 thrown" });
  const rate = element("p", { class: "score-rate" });
  const last = element("p", { class: "score-last", attributes: { "aria-live": "polite" } });
  const now = element("p", { class: "score-now" });
  const card = element("section", { class: "score", attributes: { "aria-label": "Catches" } }, [
    element("p", { class: "score-line" }, [count, element("span", { class: "score-words" }, ["caught ", of])]),
    rate,
    element("div", { class: "score-badges" }, [last, now]),
  ]);
  refreshOn(store.changes, ["hello", "throw", "ball", "state"], () => {
    const { summary, throws } = store;
    setText(count, String(summary?.caughtOfAll.count ?? 0));
    setText(of, `of ${summary?.throws ?? 0}`);
    setText(rate, summary === null ? "" : rateWords(summary.caughtOfReachable));
    const newest = throws.at(-1);
    const isUnderWay = store.log !== null && !store.log.isOver;
    now.dataset.state = isUnderWay ? "flying" : "waiting";
    setText(now, isUnderWay ? flightWords(store) : "");
    last.dataset.outcome = newest?.outcome ?? "none";
    setText(last, newest === undefined ? "" : outcomeWords(newest));
  });
  return card;
}

/** Between release and verdict. */
function flightWords({ log, pose }: LiveStore): string {
  const tCatch = log?.newestCatch?.tCatch;
  return tCatch != null && pose !== null && pose.time > tCatch ? "Grasped" : "In the air";
}

/** `92 % of the reachable (67–99 %)`, the interval being Wilson's of 95 %. */
function rateWords({ rate, low, high }: Rate): string {
  if (rate === null) return "no throw yet";
  return `${percent(rate)} of the reachable, 95 % interval ${Math.round(100 * low)}–${Math.round(100 * high)} %`;
}

export function outcomeWords({ outcome, reason }: HelloMessage["throws"][number]): string {
  if (outcome === "caught") return "Caught";
  const words = outcome === "missed" ? "Missed" : "No plan";
  return reason === null ? words : `${words}: ${reason}`;
}
