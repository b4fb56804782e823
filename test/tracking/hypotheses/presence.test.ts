import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import {
  advancePresence,
  noteMissed,
  notePresent,
  noteSeen,
  seenProbability,
} from "../../../src/tracking/hypotheses/presence.js";
import { TrackNode } from "../../../src/tracking/hypotheses/track-node.js";
import { settingsOf } from "../../../src/tracking/hypotheses/tracker-options.js";

/**
 * The same chain over all its states at once: gone or not, hidden from both or not, hidden from each camera or not: 16
 * numbers, each step and each observation written out.
 */
class FullChain {
  probability: number[] = Array.from({ length: 16 }, (_, state) => (state === 0 ? 1 : 0));

  advance(dies: number, hides: number, appears: number): void {
    const next = new Array<number>(16).fill(0);
    for (let from = 0; from < 16; from++) {
      for (let to = 0; to < 16; to++) {
        let factor = this.probability[from]!;
        factor *= step(from & 8, to & 8, dies, 0);
        for (const bit of [4, 2, 1]) factor *= step(from & bit, to & bit, hides, appears);
        next[to] = next[to]! + factor;
      }
    }
    this.probability = next;
  }

  seen(camera: number, found: number): number {
    let sum = 0;
    for (let state = 0; state < 16; state++) if (isBare(state, camera)) sum += found * this.probability[state]!;
    return sum;
  }

  observe(camera: number, found: number, taken: boolean): void {
    const all = taken ? this.seen(camera, found) : 1 - this.seen(camera, found);
    this.probability = this.probability.map((p, state) => {
      const seen = isBare(state, camera) ? found : 0;
      return (p * (taken ? seen : 1 - seen)) / all;
    });
  }
}

function step(from: number, to: number, on: number, off: number): number {
  if (from === 0) return to === 0 ? 1 - on : on;
  return to === 0 ? off : 1 - off;
}

function isBare(state: number, camera: number): boolean {
  return (state & 8) === 0 && (state & 4) === 0 && (state & (camera === 0 ? 2 : 1)) === 0;
}

describe("advancePresence", () => {
  it("is the Markov chain of a ball that is gone, hidden or in view", () => {
    const settings = settingsOf({});
    const random = new Random("presence");
    for (let run = 0; run < 200; run++) {
      const node = new TrackNode(0);
      notePresent(node);
      const chain = new FullChain();
      for (let scan = 0; scan < 12; scan++) {
        const duration = random.uniformIn(0.01, 0.2);
        advancePresence(node, duration, settings);
        chain.advance(
          1 - Math.exp(-settings.deathRate * duration),
          1 - Math.exp(-settings.occlusionRate * duration),
          1 - Math.exp(-duration / settings.occlusionTime),
        );
        for (let camera = 0; camera < 2; camera++) {
          const found = random.uniform() < 0.2 ? 0 : random.uniformIn(0.3, 0.99);
          expect(seenProbability(node, camera, found)).toBeCloseTo(chain.seen(camera, found), 12);
          const taken = found > 0 && random.uniform() < 0.3;
          chain.observe(camera, found, taken);
          if (taken) noteSeen(node, camera);
          else noteMissed(node, camera, found);
        }
      }
    }
  });

  it("makes five missed scans in a row an occlusion as likely as a loss", () => {
    const settings = settingsOf({});
    const node = new TrackNode(0);
    notePresent(node);
    for (let scan = 0; scan < 5; scan++) {
      advancePresence(node, 0.04, settings);
      for (let camera = 0; camera < 2; camera++) noteMissed(node, camera, 0.95);
    }
    expect(node.gone).toBeGreaterThan(0.3);
    expect(node.gone).toBeLessThan(0.9);
  });
});
