import { expect, test } from "vitest";
import { Random } from "../../../src/math/random.js";
import { CandidateList } from "../../../src/tracking/circles/candidate-list.js";

test("candidates are ordered by falling score, equals as they were added, and a full list drops the rest", () => {
  const random = new Random("candidates");
  const list = new CandidateList(200);
  const scores = Array.from({ length: 230 }, () => random.integer(241) / 240);
  for (const score of scores) list.add(1, 2, 3, score, 0);
  list.sort();
  expect(list.count).toBe(200);
  const expected = scores.slice(0, 200).map((_, i) => i);
  expected.sort((a, b) => scores[b]! - scores[a]! || a - b);
  expect([...list.order]).toEqual(expected);
});
