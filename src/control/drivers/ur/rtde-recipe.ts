/** Bytes of the types of fields. */
const sizes: Readonly<Record<string, number>> = {
  BOOL: 1,
  UINT8: 1,
  INT32: 4,
  UINT32: 4,
  UINT64: 8,
  DOUBLE: 8,
  VECTOR3D: 24,
  VECTOR6D: 48,
  VECTOR6INT32: 24,
  VECTOR6UINT32: 24,
};

/** In place of a type: a name that this version of the robot's software does not know, or an input that another client holds. */
const NOT_FOUND = "NOT_FOUND";
const IN_USE = "IN_USE";

/** Fields without which the driver cannot work, with their types. */
const needed = {
  timestamp: "DOUBLE",
  target_q: "VECTOR6D",
  target_qd: "VECTOR6D",
  actual_q: "VECTOR6D",
  actual_qd: "VECTOR6D",
  actual_current: "VECTOR6D",
  target_moment: "VECTOR6D",
  speed_scaling: "DOUBLE",
  runtime_state: "UINT32",
  robot_mode: "INT32",
  safety_mode: "INT32",
} as const;

/** Fields that are reported where the robot has them. The two registers are written by our program. */
const optional = {
  target_speed_fraction: "DOUBLE",
  payload: "DOUBLE",
  output_int_register_24: "INT32",
  output_int_register_25: "INT32",
} as const;

const fields = { ...needed, ...optional };
type FieldName = keyof typeof fields;

export const neededFields: readonly string[] = Object.keys(needed);
export const allFields: readonly string[] = Object.keys(fields);

/** The robot's answer to the names it was asked for. */
export type RecipeAnswer =
  | { readonly kind: "recipe"; readonly recipe: RtdeRecipe }
  /** These names are to be left out. */
  | { readonly kind: "missing"; readonly names: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string };

/** Where each field is in a data package. */
export class RtdeRecipe {
  /** Number that the robot has given to the recipe; null in version 1, whose packages do not have one. */
  readonly id: number | null;
  /** Bytes after the header of a package. */
  readonly size: number;
  readonly #offsets: ReadonlyMap<string, number>;

  /** Reads the types of `names`, joined by commas. */
  static answerOf(names: readonly string[], types: string, id: number | null): RecipeAnswer {
    const list = types.split(",");
    if (list.length !== names.length) {
      return { kind: "refused", reason: `${names.length} fields were asked for, ${list.length} types came` };
    }
    const missing = names.filter((_, k) => list[k] === NOT_FOUND);
    if (missing.length > 0) return { kind: "missing", names: missing };
    for (const [k, name] of names.entries()) {
      const wanted = fields[name as FieldName];
      if (list[k] === wanted) continue;
      const reason = list[k] === IN_USE ? "is in use by another client" : `has type ${list[k]}, not ${wanted}`;
      return { kind: "refused", reason: `the field ${name} ${reason}` };
    }
    return { kind: "recipe", recipe: new RtdeRecipe(names, id) };
  }

  private constructor(names: readonly string[], id: number | null) {
    const offsets = new Map<string, number>();
    let at = id === null ? 0 : 1;
    for (const name of names) {
      offsets.set(name, at);
      at += sizes[fields[name as FieldName]]!;
    }
    this.id = id;
    this.size = at;
    this.#offsets = offsets;
  }

  /** Offset of a field in the payload; −1 if the robot does not have it. */
  offsetOf(name: FieldName): number {
    return this.#offsets.get(name) ?? -1;
  }
}

export const JOINTS = 6;

/** What the controller says of itself in one package. Made once, filled in by each. */
export class UrState {
  /** Since the controller's start [s]. */
  timestamp = Number.NaN;
  /** What the robot is commanded to do, and does [rad, rad/s]. [6] */
  readonly targetQ = new Float64Array(JOINTS);
  readonly targetQd = new Float64Array(JOINTS);
  readonly q = new Float64Array(JOINTS);
  readonly qd = new Float64Array(JOINTS);
  /** Of the motors [A], and what the model says they should give [N·m]. [6] */
  readonly current = new Float64Array(JOINTS);
  readonly moment = new Float64Array(JOINTS);
  /** Share of its speed at which the limiter lets the program run, 0 to 1. */
  speedScaling = Number.NaN;
  runtimeState = -1;
  robotMode = -1;
  safetyMode = -1;
  /** Position of the speed slider, 0 to 1, and mass of the payload [kg]; NaN where the robot does not report it. */
  speedSlider = Number.NaN;
  payload = Number.NaN;
  /** Set points that our program has refused, and steps in which it had none and went on by itself; −1 where unknown. */
  refused = -1;
  extrapolated = -1;
}

/** Reads data packages of one recipe. */
export class UrStateDecoder {
  readonly #recipe: RtdeRecipe;
  readonly #at: Readonly<Record<FieldName, number>>;

  constructor(recipe: RtdeRecipe) {
    this.#recipe = recipe;
    const offsets = allFields.map((name) => [name, recipe.offsetOf(name as FieldName)]);
    this.#at = Object.fromEntries(offsets) as Record<FieldName, number>;
  }

  /** False for a package of another recipe or length: nothing is read then. */
  decode(memory: Buffer, start: number, end: number, out: UrState): boolean {
    const { id, size } = this.#recipe;
    if (end - start !== size || (id !== null && memory[start] !== id)) return false;
    const at = this.#at;
    out.timestamp = memory.readDoubleBE(start + at.timestamp);
    readVector(memory, start + at.target_q, out.targetQ);
    readVector(memory, start + at.target_qd, out.targetQd);
    readVector(memory, start + at.actual_q, out.q);
    readVector(memory, start + at.actual_qd, out.qd);
    readVector(memory, start + at.actual_current, out.current);
    readVector(memory, start + at.target_moment, out.moment);
    out.speedScaling = memory.readDoubleBE(start + at.speed_scaling);
    out.runtimeState = memory.readUInt32BE(start + at.runtime_state);
    out.robotMode = memory.readInt32BE(start + at.robot_mode);
    out.safetyMode = memory.readInt32BE(start + at.safety_mode);
    if (at.target_speed_fraction >= 0) out.speedSlider = memory.readDoubleBE(start + at.target_speed_fraction);
    if (at.payload >= 0) out.payload = memory.readDoubleBE(start + at.payload);
    if (at.output_int_register_24 >= 0) out.refused = memory.readInt32BE(start + at.output_int_register_24);
    if (at.output_int_register_25 >= 0) out.extrapolated = memory.readInt32BE(start + at.output_int_register_25);
    return true;
  }
}

function readVector(memory: Buffer, at: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = memory.readDoubleBE(at + 8 * i);
}
