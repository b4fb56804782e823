import { FlycatcherError } from "../../runtime/errors.js";
import type { ParameterBlock, ParameterComponent } from "./parameter-block.js";

/** Which parameters the fit may change, and what is known of them beforehand; by name of component or family. */
export interface ParameterChoice {
  /** Freed beyond the default. */
  readonly free?: readonly string[];
  /** Held at their initial value. */
  readonly fixed?: readonly string[];
  /** Standard deviation about the initial value, in the component's unit. */
  readonly priors?: Readonly<Record<string, number>>;
}

/** All blocks of a fit, and the columns of the solver's matrices that their free components have. */
export class ParameterSet {
  readonly blocks: readonly ParameterBlock[];
  /** Free components, by column. */
  readonly free: readonly ParameterComponent[];
  readonly columnCount: number;
  /** 1/σ of each column's prior; 0 for none. */
  readonly priorWeights: Float64Array;
  readonly #saved: readonly Float64Array[];
  readonly #delta: Float64Array;

  constructor(blocks: readonly ParameterBlock[]) {
    this.blocks = blocks;
    const free: ParameterComponent[] = [];
    for (const block of blocks) {
      for (const [i, component] of block.components.entries()) {
        block.columns[i] = component.free ? free.push(component) - 1 : -1;
      }
    }
    this.free = free;
    this.columnCount = free.length;
    this.priorWeights = Float64Array.from(free, ({ priorSigma }) => 1 / priorSigma);
    this.#saved = blocks.map((block) => block.value.slice());
    this.#delta = new Float64Array(Math.max(6, ...blocks.map((block) => block.components.length)));
  }

  /** Moves every free component by its column of `step`. */
  retract(step: Float64Array): void {
    for (const block of this.blocks) {
      if (this.#load(block, step)) block.retract(this.#delta);
    }
  }

  save(): void {
    for (const [i, block] of this.blocks.entries()) this.#saved[i]!.set(block.value);
  }

  restore(): void {
    for (const [i, block] of this.blocks.entries()) block.value.set(this.#saved[i]!);
  }

  /** By column: how far the parameters are from other values of the same blocks. */
  differenceFrom(reference: readonly Float64Array[], out: Float64Array): Float64Array {
    for (const [k, block] of this.blocks.entries()) {
      block.differenceFrom(reference[k]!, this.#delta);
      for (const [i, column] of block.columns.entries()) if (column >= 0) out[column] = this.#delta[i]!;
    }
    return out;
  }

  /** By column: how far the parameters are from where they started. */
  change(out: Float64Array): Float64Array {
    return this.differenceFrom(
      this.blocks.map((block) => block.initial),
      out,
    );
  }

  values(): Float64Array[] {
    return this.blocks.map((block) => block.value.slice());
  }

  setValues(values: readonly Float64Array[]): void {
    for (const [k, block] of this.blocks.entries()) block.value.set(values[k]!);
  }

  /** The block's part of a step to `#delta`; false if nothing of it is free. */
  #load(block: ParameterBlock, step: Float64Array): boolean {
    let moves = false;
    for (const [i, column] of block.columns.entries()) {
      this.#delta[i] = column < 0 ? 0 : step[column]!;
      moves ||= column >= 0;
    }
    return moves;
  }
}

/** A component as its family has it, with what the choice says of it. */
export function chosen(component: ParameterComponent, choice: ParameterChoice): ParameterComponent {
  const named = (names: readonly string[] = []) => names.includes(component.name) || names.includes(component.family);
  const prior = choice.priors?.[component.name] ?? choice.priors?.[component.family];
  return {
    ...component,
    free: !named(choice.fixed) && (component.free || named(choice.free)),
    priorSigma: prior ?? component.priorSigma,
  };
}

/** Refuses names that no parameter has, and priors that are no standard deviation. */
export function checkChoice(choice: ParameterChoice, components: readonly ParameterComponent[]): void {
  const known = new Set(components.flatMap(({ name, family }) => [name, family]));
  const names = [...(choice.free ?? []), ...(choice.fixed ?? []), ...Object.keys(choice.priors ?? {})];
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new FlycatcherError("FLY_CALIBRATION_PARAMETER", "no such parameter", {
      expected: `one of ${[...known].join(", ")}`,
      found: unknown,
    });
  }
  for (const [name, sigma] of Object.entries(choice.priors ?? {})) {
    if (sigma > 0) continue;
    const details = { path: name, expected: "a standard deviation above 0", found: String(sigma) };
    throw new FlycatcherError("FLY_CALIBRATION_PARAMETER", "not a prior", details);
  }
}
