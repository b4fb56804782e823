import type { WireWeather } from "./ur-wire-messages.js";

/** Types of packages: a recipe of outputs, and the data themselves. */
const RECIPE = 79;
const DATA = 85;
const HEADER = 3;
const sizes: Readonly<Record<string, number>> = {
  ...{ BOOL: 1, UINT8: 1, INT32: 4, UINT32: 4, UINT64: 8, DOUBLE: 8 },
  ...{ VECTOR3D: 24, VECTOR6D: 48, VECTOR6INT32: 24, VECTOR6UINT32: 24 },
};
const ELSEWHERE = 7;
const JUMP = 0.5;
const CLOCK_BACK = 30;

/** A package as it is to be passed on. */
interface ToldPackage {
  readonly bytes: Buffer;
  readonly isState: boolean;
  readonly isTrue: boolean;
}

/** Cuts the robot's stream of states into packages, reads joints in them, and makes them lie. */
export class StateTap {
  /** By the newest package [rad, rad/s]. */
  q: readonly number[] = new Array<number>(6).fill(0);
  qd: readonly number[] = new Array<number>(6).fill(0);
  #names: readonly string[] = [];
  #offsets = new Map<string, number>();
  #rest: Buffer = Buffer.alloc(0);

  /** What the driver sends: the names of the outputs it wants. A new connection begins with another request. */
  asked(bytes: Buffer): void {
    this.#rest = bytes[2] === RECIPE ? this.#rest : Buffer.alloc(0);
    if (bytes[2] === RECIPE) this.#names = bytes.toString("latin1", HEADER + 8, bytes.readUInt16BE(0)).split(",");
  }

  take(bytes: Buffer): Buffer[] {
    const packages: Buffer[] = [];
    let rest = Buffer.concat([this.#rest, bytes]);
    while (rest.length >= HEADER && rest.length >= rest.readUInt16BE(0)) {
      const size = rest.readUInt16BE(0);
      packages.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    this.#rest = rest;
    for (const whole of packages) this.#read(whole);
    return packages;
  }

  #read(whole: Buffer): void {
    if (whole[2] === RECIPE) {
      const types = whole.toString("latin1", HEADER + 1).split(",");
      let at = HEADER + 1;
      this.#offsets = new Map(
        types.map((type, k) => {
          const begin = at;
          at += sizes[type] ?? 0;
          return [this.#names[k] ?? "", begin];
        }),
      );
    }
    if (whole[2] !== DATA) return;
    this.q = this.#vector(whole, "actual_q") ?? this.q;
    this.qd = this.#vector(whole, "actual_qd") ?? this.qd;
  }

  #vector(whole: Buffer, name: string): number[] | null {
    const at = this.#offsets.get(name);
    if (at === undefined || at + 48 > whole.length) return null;
    return Array.from({ length: 6 }, (_, i) => whole.readDoubleBE(at + 8 * i));
  }

  tell(whole: Buffer, lie: WireWeather["lie"]): ToldPackage {
    const isState = whole[2] === DATA;
    const bytes = Buffer.from(whole);
    if (lie === "five joints" && whole[2] === RECIPE) return { bytes: fiveJoints(whole), isState, isTrue: true };
    if (!isState || lie === "none" || lie === "five joints") return { bytes, isState, isTrue: true };
    if (lie === "garbage") return { bytes: Buffer.alloc(whole.length, 0xa5), isState, isTrue: false };
    if (lie === "clock back") this.#change(bytes, "timestamp", 0, (time) => time - CLOCK_BACK);
    else if (lie === "jump") this.#change(bytes, "actual_q", 2, (q) => q + JUMP);
    else if (lie === "elsewhere") this.#change(bytes, "actual_q", 2, (q) => q + ELSEWHERE);
    else this.#change(bytes, "actual_q", 2, () => Number.NaN);
    return { bytes, isState, isTrue: false };
  }

  #change(bytes: Buffer, name: string, k: number, change: (value: number) => number): void {
    const at = this.#offsets.get(name);
    if (at !== undefined) bytes.writeDoubleBE(change(bytes.readDoubleBE(at + 8 * k)), at + 8 * k);
  }
}

/** A recipe whose first vector of six has another type. */
function fiveJoints(whole: Buffer): Buffer {
  const text = whole.toString("latin1").replace("VECTOR6D", "VECTOR3D");
  return Buffer.from(text, "latin1");
}
