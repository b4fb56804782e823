/** A name that is further away than this share of its length is not what was meant. */
const FARTHEST_SHARE = 0.4;

/**
 * The names that were probably meant by a misspelt word: those with the fewest edits, if these are few. An edit inserts, removes or
 * replaces a character, or swaps two neighbours. Upper and lower case are the same.
 *
 *     nearestNames("agile-jsutin", ["agile-justin", "panda"])   // ["agile-justin"]
 */
export function nearestNames(word: string, names: Iterable<string>): string[] {
  const found = [...new Set(names)].map((name) => ({
    name,
    edits: editDistance(word.toLowerCase(), name.toLowerCase()),
  }));
  const least = Math.min(...found.map(({ edits }) => edits));
  return found
    .filter(({ name, edits }) => edits === least && edits <= FARTHEST_SHARE * Math.max(word.length, name.length))
    .map(({ name }) => name);
}

/** The question after an error: "Did you mean a or b?"; "" where no name is near. */
export function didYouMean(word: string, names: Iterable<string>): string {
  const nearest = nearestNames(word, names);
  return nearest.length === 0 ? "" : `Did you mean ${nearest.join(" or ")}?`;
}

/** Edits between two texts, each pair of characters swapped at most once (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? beforeLast[j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
