import { escapeText } from "../../calibration/report/svg-plots.js";
import { count, page, pill } from "../report-page.js";
import type { ThrowReport } from "../report-types.js";
import { type Comparison, comparedQuantities, type QuantityComparison, type ThrowPair } from "./compare-replays.js";

/** A web page that lays two replays side by side. */
export function comparisonPage(comparison: Comparison): string {
  const { a, b, throws, caught, quantities, pairs, onlyA, onlyB } = comparison;
  const changed = pairs.filter(({ change }) => change !== "equal");
  const alone = [...onlyA.map((name) => `only in A: ${name}`), ...onlyB.map((name) => `only in B: ${name}`)];
  return page(
    "Comparison",
    `<h1>${escapeText(a.name)} against ${escapeText(b.name)}</h1>
<p class="quiet">A: ${escapeText(describe(a.settings))}<br>B: ${escapeText(describe(b.settings))}<br>${count(throws, "throw")} in both</p>
${alone.map((text) => `<p class="warning">${escapeText(text)}</p>`).join("")}
<div class="tiles">
<div class="tile"><b>${caught.a} → ${caught.b}</b><span>caught of ${throws}</span></div>
<div class="tile"><b class="${caught.gained > caught.lost ? "better" : caught.gained < caught.lost ? "worse" : ""}">+${caught.gained} −${caught.lost}</b><span>throws that only one of them caught</span></div>
<div class="tile"><b>${points(caught.difference)}</b><span>points, 95 %: ${points(caught.low)} to ${points(caught.high)}</span></div>
<div class="tile"><b>${caught.probability.toPrecision(2)}</b><span>probability of such an uneven split by chance (McNemar)</span></div>
</div>
<h2>What is better, what is worse</h2>
<div class="scroll"><table><tr><th>mean over throws</th><th>A</th><th>B</th><th>B − A</th><th>95 % interval</th><th>throws</th><th></th></tr>
${quantities.map(quantityRow).join("\n")}</table></div>
<h2>Throws that came out differently</h2>
${changed.length === 0 ? '<p class="quiet">None.</p>' : pairTable(changed)}
<h2>All throws</h2>
${pairTable(pairs)}
<p class="quiet">Intervals of means: bootstrap over throws. Interval of the difference of catch rates: Newcombe's, for pairs.</p>`,
  );
}

function describe({ robot, monitor, changes }: Comparison["a"]["settings"]): string {
  const changed = Object.entries(changes).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [
    ...(robot === null ? [] : [robot]),
    ...(changed.length === 0 ? ["nothing changed"] : changed),
    `monitor ${monitor}`,
  ].join(", ");
}

function points(share: number): string {
  return `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;
}

function quantityRow({ quantity, pairs, meanA, meanB, difference, low, high, change }: QuantityComparison): string {
  const { words, unit, factor } = comparedQuantities[quantity];
  const format = (value: number) => `${(factor * value).toFixed(2)} ${unit}`.trim();
  const word = change === "equal" ? "no difference shown" : change;
  return `<tr><td>${escapeText(words)}</td><td>${format(meanA)}</td><td>${format(meanB)}</td><td class="${change}">${format(difference)}</td><td>${format(low)} to ${format(high)}</td><td>${pairs}</td><td class="${change}">${word}</td></tr>`;
}

function pairTable(pairs: readonly ThrowPair[]): string {
  const side = ({ verdict }: ThrowReport) =>
    `<td>${pill(verdict.outcome)}</td><td>${verdict.lateral === null ? "" : `${(1e3 * verdict.lateral).toFixed(1)} mm`}</td>`;
  const rows = pairs.map(
    ({ file, ball, a, b, change }) =>
      `<tr><td>${escapeText(file)}</td><td>${ball}</td>${side(a)}${side(b)}<td class="${change}">${change === "equal" ? "" : change}</td></tr>`,
  );
  return `<div class="scroll"><table><tr><th>recording</th><th>ball</th><th>A</th><th>off</th><th>B</th><th>off</th><th></th></tr>${rows.join("\n")}</table></div>`;
}
