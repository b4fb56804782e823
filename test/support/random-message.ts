import type { Random } from "../../src/math/random.js";
import { type Field, isNumber, type NumberKind, numberArrays } from "../../src/transport/channels/field.js";
import type { MessageField, MessageFields, MessageType } from "../../src/transport/message.js";

/** Numbers whose JSON is hard: tiny, huge, of either sign, and those that JSON does not have. */
const hard = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  1.7976931348623157e308,
  0.1,
];
const texts = ["", "left", 'a "quote"', "NaN", "größer →", "-0"];
const integers = {
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  u16: [0, 2 ** 16 - 1],
  u8: [0, 255],
} as const;

/** Makes random messages that are as their descriptions say. */
export class RandomMessages {
  readonly #random: Random;
  /** Whether numbers that JSON does not have are among them. */
  readonly #numbers: "finite" | "any";
  /** Entries of arrays and lists at most. */
  readonly #longest: number;

  constructor(random: Random, numbers: "finite" | "any" = "any", longest = 6) {
    this.#random = random;
    this.#numbers = numbers;
    this.#longest = longest;
  }

  of<M extends object>(type: MessageType<M>): M {
    return this.#group(type.fields) as M;
  }

  number(): number {
    const random = this.#random;
    if (this.#numbers === "any" && random.integer(8) === 0) return hard[random.integer(hard.length)]!;
    return random.normal() * 10 ** (random.integer(7) - 3);
  }

  #group(fields: MessageFields): object {
    const values = Object.entries(fields).map(([name, field]) => [name, this.#value(field)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  #numberOf(kind: NumberKind): number {
    if (kind === "f64") return this.number();
    if (kind === "f32") return Math.fround(this.number());
    const [least, most] = integers[kind];
    return [0, least, most, this.#random.integer(Math.min(most, 1000))][this.#random.integer(4)]!;
  }

  #count(max: number): number {
    return this.#random.integer(Math.min(max, this.#longest) + 1);
  }

  #value(field: MessageField): unknown {
    const random = this.#random;
    if (isNumber(field as Field)) return this.#numberOf(field.kind as NumberKind);
    switch (field.kind) {
      case "flag":
        return random.integer(2) === 0;
      case "choice": {
        const names = Object.keys(field.choices);
        return names[random.integer(names.length)];
      }
      case "time":
        return random.integer(2 ** 31) * 2 ** 20 * (random.integer(4) === 0 ? -1 : 1) + 0;
      case "text":
        return texts[random.integer(texts.length)];
      case "numbers": {
        const count = field.shape.reduce((product, side) => product * side, 1);
        return new numberArrays[field.element](Array.from({ length: count }, () => this.#numberOf(field.element)));
      }
      case "several":
        return Float64Array.from({ length: this.#count(field.max) }, () => this.number());
      case "blob":
        return Uint8Array.from({ length: this.#count(field.max) }, () => random.integer(256));
      case "list":
        return Array.from({ length: this.#count(field.max) }, () => this.#value(field.field));
      case "table":
        return Object.fromEntries(Array.from({ length: this.#count(field.max) }, (_, k) => [`n${k}`, this.number()]));
      case "group":
        return this.#group(field.fields);
      case "optional":
        return random.integer(3) === 0 ? null : this.#value(field.field);
      case "omittable":
        return random.integer(3) === 0 ? undefined : this.#value(field.field);
      default:
        throw new RangeError(field.kind);
    }
  }
}
