import * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import { createBelief } from "../filter/ball-belief.js";
import { FilterStatus } from "../filter/filter-status.js";
import type { Resolver } from "./associator.js";
import { ChoiceTable, NONE } from "./choice-table.js";
import { ScanStage, type StageParts } from "./circle-stages.js";
import type { HypothesisSet } from "./hypothesis.js";
import { noteMissed, noteSeen, seenProbability } from "./presence.js";
import type { StoredScan } from "./stored-scan.js";
import { NOTHING } from "./track-node.js";

/** Motion capture counts as the first camera where a ball may be hidden from it. */
const CAPTURE = 0;

/** Explains the points of a scan of motion capture. */
export class PointStage extends ScanStage {
  readonly #table: ChoiceTable;
  readonly #logClutter: number;
  readonly #point = vec3.create();
  readonly #covariance = mat3.create();
  readonly #tried = createBelief();
  #scan: StoredScan | null = null;
  readonly #resolver: Resolver = { resolve: (target, point) => this.#makeChild(target, point) };

  constructor(parts: StageParts) {
    super(parts);
    this.#table = new ChoiceTable(parts.targets.items.length, parts.maxMeasurements);
    this.#logClutter = Math.log(parts.settings.clutterPerPointScan / parts.settings.roomVolume);
  }

  explain(input: HypothesisSet, scan: StoredScan, output: HypothesisSet): void {
    this.#scan = scan;
    const table = this.#table;
    table.reset(scan.points.count);
    for (let t = 0; t < this.targets.count; t++) {
      const item = table.add();
      const seen = seenProbability(this.#nodeOf(t), CAPTURE, this.settings.detectionProbability);
      table.setMissing(item, Math.log(1 - seen));
      for (let i = 0; i < scan.points.count; i++) {
        if (this.#weigh(t, i)) table.setTaking(item, i, Math.log(seen) - this.#logClutter + this.weighed[2]!);
      }
    }
    this.associator.associate(input, table, CAPTURE, this.#resolver, output);
  }

  #nodeOf(target: number) {
    return this.pool.at(this.targets.items[target]!.node);
  }

  #load(i: number): void {
    const { position, covariance } = this.#scan!.points;
    for (let n = 0; n < 3; n++) this.#point[n as 0] = position[3 * i + n]!;
    for (let n = 0; n < 9; n++) this.#covariance[n as 0] = covariance[9 * i + n]!;
  }

  #weigh(target: number, i: number): boolean {
    const node = this.#nodeOf(target);
    const { flying, carried } = this.models;
    this.#load(i);
    flying.updatePoint(node.flying, this.#point, this.#covariance, this.#tried);
    carried.updatePoint(node.carried, this.#point, this.#covariance, this.#tried);
    return this.mix(node, flying.squaredDistance, carried.squaredDistance, 3);
  }

  #makeChild(target: number, i: number): number {
    const predicted = this.#nodeOf(target);
    const node = this.growth.child(predicted);
    if (node === null) return NONE;
    node.taken[0] = i;
    node.taken[1] = NOTHING;
    node.score += this.#table.logRatio(target, i);
    if (i === NOTHING) {
      noteMissed(node, CAPTURE, this.settings.detectionProbability);
    } else {
      noteSeen(node, CAPTURE);
      node.lastMeasurement = this.#scan!.time;
      node.scans++;
      node.fullScans++;
      this.#weigh(target, i);
      const { flying, carried } = this.models;
      const a = flying.updatePoint(predicted.flying, this.#point, this.#covariance, node.flying);
      const b = carried.updatePoint(predicted.carried, this.#point, this.#covariance, node.carried);
      node.logFlying = a === FilterStatus.ok ? this.weighed[0]! : Number.NEGATIVE_INFINITY;
      node.logCarried = b === FilterStatus.ok ? this.weighed[1]! : Number.NEGATIVE_INFINITY;
    }
    this.growth.finish(node);
    return node.index;
  }
}
