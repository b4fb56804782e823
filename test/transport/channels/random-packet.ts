import type { Random } from "../../../src/math/random.js";
import type { Field, Fields } from "../../../src/transport/channels/field.js";
import type { PacketType } from "../../../src/transport/channels/packet.js";
import type { TextView } from "../../../src/transport/channels/text-view.js";
import type { TimeView } from "../../../src/transport/channels/time-view.js";

type View = Record<string, unknown>;

const awkward = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, 0.1 + 0.2, -1e308];

/** Fills every field of a packet with something it may hold, the awkward values often. */
export function fillRandomly<V extends object>(type: PacketType<V>, view: V, random: Random): void {
  fillStruct(type.fields, view as View, random);
}

function fillStruct(fields: Fields, view: View, random: Random): void {
  for (const [name, field] of Object.entries(fields)) {
    switch (field.kind) {
      case "flag":
        view[name] = random.integer(2) === 1;
        break;
      case "choice": {
        const values = Object.values(field.choices);
        view[name] = values[random.integer(values.length)];
        break;
      }
      case "f64":
      case "f32":
        view[name] = fraction(random);
        break;
      case "i32":
        view[name] = random.integer(2 ** 31) - 2 ** 30;
        break;
      case "u32":
      case "u16":
      case "u8":
        view[name] = random.integer(256);
        break;
      default:
        fillPart(field, view[name], random);
    }
  }
}

function fillPart(field: Field, part: unknown, random: Random): void {
  switch (field.kind) {
    case "time":
      (part as TimeView).nanoseconds = Math.floor(random.uniformIn(-1, 1) * 2 ** 53);
      break;
    case "text":
      (part as TextView).write(["", "elbow", "Schulter ü", "漢字"][random.integer(4)]!);
      break;
    case "bytes":
      for (let k = 0; k < field.length; k++) (part as Uint8Array)[k] = random.integer(256);
      break;
    case "numbers": {
      const isFraction = field.element === "f64" || field.element === "f32";
      const numbers = part as Float64Array;
      for (let k = 0; k < numbers.length; k++) numbers[k] = isFraction ? fraction(random) : random.integer(256);
      break;
    }
    case "list":
      for (const element of part as unknown[]) fillPart(field.element, element, random);
      break;
    case "struct":
      fillStruct(field.fields, part as View, random);
  }
}

function fraction(random: Random): number {
  return random.integer(3) === 0 ? awkward[random.integer(awkward.length)]! : random.normal();
}
