import { FlycatcherError } from "../../runtime/errors.js";
import type { Fields, StructView } from "./field.js";
import { layoutOf, roundUp, type StructLayout, signatureOf } from "./layout.js";
import { PacketMemory } from "./packet-memory.js";
import { type ViewFactory, viewFactoryOf } from "./view.js";

/** A kind of packet: its description and all that follows from it. `V` is what a program sees of one packet. */
export interface PacketType<V extends object = object> {
  readonly name: string;
  /** Goes up by one whenever the fields change their meaning, order or size. */
  readonly version: number;
  readonly fields: Fields;
  readonly layout: StructLayout;
  /** Room one packet takes, a multiple of eight [bytes]. */
  readonly byteLength: number;
  readonly signature: string;
  readonly createView: ViewFactory<V>;
}

/** The view of a packet type: `type JointState = PacketView<typeof JointState>`. */
export type PacketView<P> = P extends PacketType<infer V> ? V : never;

/** A packet type as plain data, which can be sent to another thread and made a packet type again there. */
export interface PacketDescription {
  readonly name: string;
  readonly version: number;
  readonly fields: Fields;
}

/**
 * Describes a packet, once.
 * @example
 * const Imu = packet("Imu", 1, { t: time, angularVelocity: array(f64, 3) });
 * const sample = allocatePacket(Imu);
 * sample.t.seconds = 0.5;
 * sample.angularVelocity[2] = 0.1;
 */
export function packet<const S extends Fields>(name: string, version: number, fields: S): PacketType<StructView<S>> {
  return packetTypeOf({ name, version, fields }) as PacketType<StructView<S>>;
}

/** The packet type of a description that came from elsewhere: how a recorder reads channels it knows nothing of. */
export function packetTypeOf({ name, version, fields }: PacketDescription): PacketType {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) throw refused("/name", "a name matching [A-Z][A-Za-z0-9]*", name);
  if (!(Number.isInteger(version) && version >= 1)) {
    throw refused("/version", "a whole number of at least 1", String(version));
  }
  const layout = layoutOf(fields);
  return {
    name,
    version,
    fields,
    layout,
    byteLength: roundUp(layout.size, 8),
    signature: `${name}@${version}${signatureOf(fields)}`,
    createView: viewFactoryOf(layout),
  };
}

export function descriptionOf({ name, version, fields }: PacketType): PacketDescription {
  return { name, version, fields };
}

/** A packet in memory of its own, outside any channel, all zero. */
export function allocatePacket<V extends object>(type: PacketType<V>): V {
  return type.createView(new PacketMemory(new ArrayBuffer(type.byteLength)), 0);
}

function refused(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_CHANNEL_PACKET_DESCRIPTION", "a packet cannot be described like this", {
    path,
    expected,
    found,
  });
}
