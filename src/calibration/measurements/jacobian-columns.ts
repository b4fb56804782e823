import type { ParameterBlock } from "../parameters/parameter-block.js";

/**
 * The parameters one kind of measurement depends on, in the order in which its model writes derivatives, and which of them
 * the solver may change.
 */
export class JacobianColumns {
  /** Derivatives a model writes for each residual. */
  readonly width: number;
  /** Those of free parameters, as indices of what the model writes. */
  readonly active: Int32Array;
  /** Column of the solver's matrices for each of `active`. */
  readonly columns: Int32Array;

  constructor(blocks: readonly ParameterBlock[]) {
    const columns = blocks.flatMap((block) => [...block.columns]);
    this.width = columns.length;
    this.active = Int32Array.from(columns.keys()).filter((i) => columns[i]! >= 0);
    this.columns = this.active.map((i) => columns[i]!);
  }
}
